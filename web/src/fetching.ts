// Loaded when the reader first asks for something from the network.

export { fetchModel } from 'ridgepoint/hub';
