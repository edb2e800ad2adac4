import express, { type Router } from 'express';
import { ApiError } from '../api/errors.mts';
import type { Recorder } from '../api/recorder.mts';
import type { Deliveries } from '../deliveries/deliveries.mts';
import { makeExampleData } from '../deliveries/exampleData.mts';
import type { Faults } from '../faults/faults.mts';
import type { Store } from '../store/store.mts';
import { readEvent, readFault, readSettings } from './bodies.mts';

interface Controlled {
	store: Store;
	faults: Faults;
	recorder: Recorder;
	deliveries: Deliveries;
	settings: { latencyMs: number };
	reset: () => void;
}

/** The routes under /sandbox, with which another process watches and changes the sandbox. They need no API key. */
export function createControl(controlled: Controlled): Router {
	const { store, faults, recorder, deliveries, settings, reset } = controlled;
	const router = express.Router();
	const listSettings = () => ({ ...settings, peakInFlight: recorder.peakInFlight });
	router.use(express.json({ limit: '10mb' }));
	router.get('/requests', (_request, response) => response.json(recorder.requests));
	router.get('/deliveries', (_request, response) => response.json(deliveries.made));
	router.get('/state', (_request, response) => {
		const collections = Object.entries(store.collections());
		response.json(Object.fromEntries(collections.map(([name, { size }]) => [name, size])));
	});
	router.get('/state/:collection', ({ params }, response) => {
		const collection = new Map(Object.entries(store.collections())).get(params.collection);
		if (!collection) {
			throw new ApiError(404, 'not_found', `Unknown collection: ${params.collection}`);
		}
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
		const { kind, data = makeExampleData(store, kind) } = readEvent(body);
		response.json(await deliveries.emit(kind, data));
	});
	router.get('/settings', (_request, response) => response.json(listSettings()));
	router.post('/settings', ({ body }, response) => {
		const { latencyMs, peakInFlight } = readSettings(body);
		if (latencyMs !== undefined) settings.latencyMs = latencyMs;
		if (peakInFlight !== undefined) recorder.peakInFlight = peakInFlight;
		response.json(listSettings());
	});
	router.post('/reset', (_request, response) => {
		reset();
		response.json(listSettings());
	});
	return router;
}
