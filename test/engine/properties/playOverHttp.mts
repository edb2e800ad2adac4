import type { Fault as SandboxFault, Sandbox } from '../../../sandbox/index.mts';
import { type Fault, readBody } from './faults.mts';
import { isWriteName } from './operations.mts';
import { type Play, runScenario } from './play.mts';
import type { Scenario } from './scenario.mts';
import type { Work } from './service.mts';
import { numberHeader, Wire } from './wire.mts';

/** Runs the node in n8n's engine against the sandbox, over real sockets, with the waits between passing at once. */
export async function playOverHttp(scenario: Scenario, sandbox: Sandbox): Promise<Play[]> {
	sandbox.reset();
	const { store } = sandbox;
	const seeded = { persons: store.persons.size, logs: store.personLogs.size };
	for (const [at, fault] of scenario.script.entries()) {
		if (fault) sandbox.faults.add({ ...toSandbox(fault), skip: at });
	}
	const wire = new Wire();
	wire.passOn();
	try {
		const run = await runScenario(scenario, {
			wire,
			credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
			faultOf: (number) => scenario.script[arrivalOf(sandbox, number)],
		});
		const persons = store.persons.all().slice(seeded.persons);
		const logs = store.personLogs.all().slice(seeded.logs);
		const works =
			scenario.operation === 'person.create' ? persons.map(toWork) : logs.map(toLogWork);
		const listFor = () => (isWriteName(scenario.operation) ? [] : [...store.persons.all()]);
		return [{ ...run, works, listFor }];
	} finally {
		wire.close();
	}

	function toWork(
		person: typeof sandbox.store.persons extends Iterable<infer P> ? P : never,
	): Work {
		const { name, domain, personId } = person;
		return {
			method: 'POST',
			path: '/v0/persons',
			body: { name, domain },
			record: { personId, name },
		};
	}

	function toLogWork(
		log: typeof sandbox.store.personLogs extends Iterable<infer L> ? L : never,
	): Work {
		const { personId, personLogId, source, type, payload, idempotencyKey } = log;
		const email = store.persons.get(personId)?.email;
		return {
			method: 'POST',
			path: '/v0/person_logs',
			body: { source, type, payload, email, ...(idempotencyKey !== null && { idempotencyKey }) },
			record: { personId, personLogId, source, type },
		};
	}
}

function arrivalOf({ requests }: Sandbox, number: number): number {
	return requests.findIndex(({ headers }) => headers[numberHeader] === String(number));
}

/** Whether the sandbox can bring the fault about without a wait that no fake clock moves. */
export function isOfSandbox(fault: Fault): boolean {
	if (fault.kind !== 'status') return fault.kind === 'lost';
	const { body, lie, retryAfter } = fault;
	return body !== 'record' && !lie && (!retryAfter || retryAfter.form === 'seconds');
}

function toSandbox(fault: Fault): SandboxFault {
	switch (fault.kind) {
		case 'lost':
			if (!fault.done) return { kind: 'resetBefore' };
			return { kind: fault.code === 'ERR_BAD_RESPONSE' ? 'cutBody' : 'resetAfter' };
		case 'status': {
			const { status, retryAfter, done } = fault;
			const headers = retryAfter && { 'retry-after': String(retryAfter.seconds) };
			return { kind: 'status', status, headers, body: readBody(fault), afterWork: done };
		}
		default:
			throw new Error(`The sandbox has no fault for ${fault.kind}`);
	}
}
