// The machines of CI are shared: a browser or a database that waits too long there says nothing about the package. The
// report names each test that needed a second attempt.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
