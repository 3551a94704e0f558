/** Match patterns of all that a page of the web asks for. */
export const WEB_URLS = ['http://*/*', 'https://*/*'];
