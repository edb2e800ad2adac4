// An n8n that shares its core takes long for a burst of events.
jest.setTimeout(180_000);
// The machines of CI are shared: a browser or a database that waits too long there says nothing about the package.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
