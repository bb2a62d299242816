import createModule from 'virtual:core';
import { coreBytes } from './bytes';

// Stands in for each compiled module of the package: all of them are the whole core here.

export default async (options: object): Promise<unknown> =>
  createModule({ ...options, wasmBinary: await coreBytes() });
