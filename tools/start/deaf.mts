import { itemsOf, listFailures, type Execution } from '../n8n/execution.mts';

/** The nodes of the example that the check reads. */
const deafNodes = { check: 'Check the subscription', alert: 'Alert' };

/** The messages that the workflow would send. */
export const readDeafAlerts = (execution: Execution): string[] =>
	itemsOf(execution, deafNodes.alert).map(({ json }) => String(json.text));

/** The deviations from a trigger that hears everything. */
export function findDeafDeviations(execution: Execution): string[] {
	const checked = itemsOf(execution, deafNodes.check);
	return [
		...listFailures(execution),
		...(checked.length === 1 ? [] : [`${checked.length} subscriptions were checked`]),
		...readDeafAlerts(execution),
	];
}
