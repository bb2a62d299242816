// A module of its own, so that the widget can do without what other people's files need.

export { parseConfig } from 'ridgepoint/hub';
