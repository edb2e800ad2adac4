/** An error whose message says everything: the commands print it without a stack. */
export class CommandError extends Error {}
