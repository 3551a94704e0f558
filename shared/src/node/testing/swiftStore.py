"""An S3-compatible store for tests: OpenStack Swift (Debian's python3-swift) with its S3 interface, in one process and one folder.

swiftStore.py FOLDER: tells {"port"} in a line of JSON when it answers, and ends with its standard input.
Access key "firstscreen:relay", secret "secret"; it checks signatures. There is a bucket "pictures".
"""
import json
import os
import sys

import eventlet
import eventlet.wsgi
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.swob import Request
from swift.common.wsgi import loadapp

FOLDER = os.path.abspath(sys.argv[1])
PARTS = ("account", "container", "object")
SERVER = """[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_address = /nonexistent
[app:main]
use = egg:swift#{part}
"""
PROXY = """[DEFAULT]
swift_dir = {folder}
log_address = /nonexistent
[pipeline:main]
pipeline = {pipeline}
[filter:memory]
paste.filter_factory = __main__:memory
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_firstscreen_relay = secret .admin
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
"""


class Memory:
    """What Swift takes memcached for."""

    def __init__(self):
        self.kept = {}

    def set(self, key, value, **_):
        self.kept[key] = value

    def get(self, key, **_):
        return self.kept.get(key)

    def delete(self, key, **_):
        self.kept.pop(key, None)


def memory(_conf, **_local):
    kept = Memory()

    def around(app):
        def call(environ, start_response):
            environ["swift.cache"] = kept
            return app(environ, start_response)

        return call

    return around


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w", encoding="utf8") as file:
        file.write(text)
    return path


def serve(socket, app):
    eventlet.spawn(eventlet.wsgi.server, socket, app, log_output=False, custom_pool=eventlet.GreenPool(100))


utils.eventlet_monkey_patch()
os.makedirs(os.path.join(FOLDER, "devices/d1"), exist_ok=True)
utils.SWIFT_CONF_FILE = write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = tests\n")
utils.HASH_PATH_SUFFIX, utils.HASH_PATH_PREFIX = b"tests", b""
for part in PARTS:
    listener = eventlet.listen(("127.0.0.1", 0))
    ring = RingBuilder(1, 1, 0)
    ring.add_dev({"region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": listener.getsockname()[1], "device": "d1"})
    ring.rebalance()
    ring.get_ring().save(os.path.join(FOLDER, part + ".ring.gz"))
    serve(listener, loadapp(write(part + ".conf", SERVER.format(folder=FOLDER, part=part))))
# past the filters that ask who it is
bucket = Request.blank("/v1/AUTH_firstscreen/pictures", environ={"REQUEST_METHOD": "PUT", "swift.cache": Memory()})
assert bucket.get_response(loadapp(write("proxy.conf", PROXY.format(folder=FOLDER, pipeline="proxy-server")))).is_success
front = eventlet.listen(("127.0.0.1", 0))
serve(front, loadapp(write("proxy.conf", PROXY.format(folder=FOLDER, pipeline="memory s3api tempauth proxy-server"))))
print(json.dumps({"port": front.getsockname()[1]}), flush=True)
while True:
    eventlet.hubs.trampoline(0, read=True)
    if os.read(0, 4096) == b"":
        os._exit(0)
