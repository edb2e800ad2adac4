const form = document.querySelector('form');
const result = document.querySelector('#send-result');

/** Sends an event with the sandbox's example data. */
async function sendEvent(kind: unknown): Promise<string> {
	try {
		const response = await fetch('/sandbox/events', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ kind }),
		});
		const body = await response.json();
		return response.ok ? describeDeliveries(kind, body.length) : body.message;
	} catch {
		return 'No response from the sandbox';
	}
}

function describeDeliveries(kind: unknown, count: number): string {
	if (count === 0) return `No active subscription wants ${kind}. Publish a workflow that does.`;
	return `Sent ${kind} to ${count === 1 ? '1 subscription' : `${count} subscriptions`}. See Deliveries for the responses.`;
}

form?.addEventListener('submit', async (event) => {
	event.preventDefault();
	const text = await sendEvent(new FormData(form, event.submitter).get('kind'));
	if (result) result.textContent = text;
});
