/** By which a body is compared with what its server has sent, content coding and all (RFC 9530; RFC 3230 and 1864 before it). `Unencoded-Digest` is that of what it means. */
export const OF_CODED_BYTES: readonly string[] = ['content-digest', 'repr-digest', 'digest', 'content-md5'];
