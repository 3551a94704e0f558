/** Match patterns of what pages of the web ask for. */
export const WEB_URLS = ['http://*/*', 'https://*/*'];
