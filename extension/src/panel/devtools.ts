/** The page that the developer tools load with each tab that they inspect: it makes the panel, and does nothing else. */
void chrome.devtools.panels.create('Firstscreen', 'icons/32.png', 'panel.html');
