// Loaded into a child process before its own code. Ends the child when its parent is gone, even if the parent was killed.
// The parent holds the other end of an IPC channel, which the system closes for it.
const secondsToEndByItself = 5;

if (process.channel) {
	process.on('disconnect', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(endGroup, secondsToEndByItself * 1000).unref();
	});
	process.channel.unref();
	// Node no longer counts the listeners itself after `unref`: a worker lives while it listens to its parent.
	process.on('newListener', (event) => event === 'message' && process.channel?.ref());
	process.on('removeListener', (event) => {
		if (event === 'message' && process.listenerCount(event) === 0) process.channel?.unref();
	});
}

function endGroup() {
	try {
		process.kill(-process.pid, 'SIGKILL');
	} catch {
		process.kill(process.pid, 'SIGKILL');
	}
}
