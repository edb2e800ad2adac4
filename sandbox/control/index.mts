import express, { type Router } from 'express';
import type { Recorder } from '../api/recorder.mts';
import type { Deliveries } from '../deliveries/deliveries.mts';
import { makeExampleData } from '../deliveries/exampleData.mts';
import type { Faults } from '../faults/faults.mts';
import type { Guesses } from '../guesses.mts';
import type { Store } from '../store/store.mts';
import { readEvent, readFault, readSettings } from './bodies.mts';
import { serveRecords } from './records.mts';

interface Controlled {
	store: Store;
	guesses: Guesses;
	faults: Faults;
	recorder: Recorder;
	deliveries: Deliveries;
	settings: { latencyMs: number };
	reset: () => void;
}

/** The routes under /sandbox, with which another process watches and changes the sandbox. They need no API key. */
export function createControl(controlled: Controlled): Router {
	const { store, guesses, faults, recorder, deliveries, settings, reset } = controlled;
	const router = express.Router();
	const listSettings = () => ({ ...settings, peakInFlight: recorder.peakInFlight, guesses });
	router.use(express.json({ limit: '10mb' }));
	router.get('/requests', (_request, response) => response.json(recorder.requests));
	router.get('/deliveries', (_request, response) => response.json(deliveries.made));
	router.use('/state', serveRecords(store));
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
		const { latencyMs, peakInFlight, guesses: changes } = readSettings(body);
		if (latencyMs !== undefined) settings.latencyMs = latencyMs;
		if (peakInFlight !== undefined) recorder.peakInFlight = peakInFlight;
		Object.assign(guesses, changes);
		response.json(listSettings());
	});
	router.post('/reset', (_request, response) => {
		reset();
		response.json(listSettings());
	});
	return router;
}
