const baseUrl = '/';

export default {
  title: 'Serving guide',
  url: 'https://example.org',
  baseUrl,
  // Not a client module: the widget must not run while pages are built on a server.
  scripts: [{ src: `${baseUrl}ridgepoint-widget.js`, async: true }],
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false, pages: false }]],
};
