import express, { type Router } from 'express';
import { readFault, readEvent, readSettings } from './controlRequests.mts';
import type { Deliveries } from './deliveries.mts';
import type { Faults } from './faults.mts';
import type { Recorder } from './recording.mts';
import { Refusal } from './refusal.mts';
import type { Store } from './store.mts';

export interface Controlled {
	store: Store;
	faults: Faults;
	recorder: Recorder;
	deliveries: Deliveries;
	settings: { latencyMs: number };
	reset: () => void;
}

/** What a program that runs the sandbox as a process can see and change, below /sandbox and without a key. */
export function createControl(controlled: Controlled): Router {
	const { store, faults, recorder, deliveries, settings, reset } = controlled;
	const router = express.Router();
	const describeSettings = () => ({ ...settings, peakInFlight: recorder.peakInFlight });
	router.use(express.json({ limit: '10mb' }));
	router.get('/requests', (_request, response) => response.json(recorder.requests));
	router.get('/deliveries', (_request, response) => response.json(deliveries.made));
	router.get('/state', (_request, response) => {
		const collections = Object.entries(store.collections());
		response.json(Object.fromEntries(collections.map(([name, { size }]) => [name, size])));
	});
	router.get('/state/:collection', ({ params }, response) => {
		const collection = new Map(Object.entries(store.collections())).get(params.collection);
		if (!collection)
			throw new Refusal(404, 'not_found', `There is no collection ${params.collection}`);
		response.json(collection.all());
	});
	router.get('/faults', (_request, response) => response.json(faults.list()));
	router.post('/faults', ({ body }, response) => {
		faults.add(readFault(body));
		response.status(201).json(faults.list());
	});
	router.delete('/faults', (_request, response) => {
		faults.clear();
		response.json([]);
	});
	router.post('/events', async ({ body }, response) => {
		const { kind, data } = readEvent(body);
		response.json(await deliveries.emit(kind, data));
	});
	router.get('/settings', (_request, response) => response.json(describeSettings()));
	router.post('/settings', ({ body }, response) => {
		const { latencyMs, peakInFlight } = readSettings(body);
		if (latencyMs !== undefined) settings.latencyMs = latencyMs;
		if (peakInFlight !== undefined) recorder.peakInFlight = peakInFlight;
		response.json(describeSettings());
	});
	router.post('/reset', (_request, response) => {
		reset();
		response.json(describeSettings());
	});
	return router;
}
