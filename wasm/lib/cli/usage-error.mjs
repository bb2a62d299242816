/** A mistake in the command line itself; ends the program with status 2. */
export class UsageError extends Error {
  name = 'UsageError';
}
