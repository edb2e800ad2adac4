import express, { type Router } from 'express';
import { ApiError, invalidRequest, recordNotFound } from '../api/errors.mts';
import type { Store } from '../store/store.mts';
import { readChanges, readNewRecords, type NewRecords } from './bodies.mts';

interface AnyCollection {
	all(): readonly object[];
	change(id: string, changes: object): object | undefined;
}

function findCollection(store: Store, name: string): AnyCollection {
	const collection = new Map<string, AnyCollection>(Object.entries(store.collections())).get(name);
	if (!collection) throw new ApiError(404, 'not_found', `Unknown collection: ${name}`);
	return collection;
}

function addRecords(store: Store, name: string, { count, of, changes }: NewRecords): object[] {
	if (name === 'persons' && of === undefined) return store.addPersons(count, changes);
	if (name === 'sessions' && store.pages.get(of ?? '')) {
		return store.addSessions(of ?? '', count, changes);
	}
	if (name === 'activities' && store.accounts.get(of ?? '')) {
		return store.addActivities(of ?? '', count, changes);
	}
	throw invalidRequest(
		'Only persons, sessions (with the page in body/of) and activities (with the account in body/of) can be added',
	);
}

/** The routes under /sandbox/state: the records, whatever the API allows to see and change. */
export function serveRecords(store: Store): Router {
	const router = express.Router();
	router.get('/', (_request, response) => {
		const collections = Object.entries(store.collections());
		response.json(Object.fromEntries(collections.map(([name, { size }]) => [name, size])));
	});
	router.get('/:collection', ({ params }, response) => {
		response.json(findCollection(store, params.collection).all());
	});
	router.post('/:collection', ({ params, body }, response) => {
		const added = addRecords(store, params.collection, readNewRecords(body));
		response.status(201).json({ added: added.length, last: added[added.length - 1] });
	});
	router.patch('/:collection/:id', ({ params, body }, response) => {
		const record = findCollection(store, params.collection).change(params.id, readChanges(body));
		if (!record) throw recordNotFound('Record', params.id);
		response.json(record);
	});
	return router;
}
