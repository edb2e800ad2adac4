import { defineResource } from '../../operation/operation';
import { create } from './create.operation';

export const personLog = defineResource({
	option: { name: 'Person Log', value: 'personLog' },
	operations: [create],
});
