import { CommandError } from '../setup/commandError.mjs';

/** This machine does not have a service that queue mode needs, and cannot get it. */
export class MissingServiceError extends CommandError {}
