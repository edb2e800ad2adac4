/** A contact from a CRM. Each has its own identity, so no request waits for another. */
export type Contact = { id: string; name: string; email: string; company: string; stage: string };

export type PersonLogBody = {
	source: string;
	type: string;
	name: string;
	email: string;
	payload: { crmId: string; company: string; stage: string };
};

export const source = 'crm';
export const type = 'contact-synced';

/** @param people how many different people they are */
export function makeContacts(count: number, people = count): Contact[] {
	return Array.from({ length: count }, (_, index) => {
		const number = String(index + 1).padStart(5, '0');
		const person = String((index % people) + 1).padStart(5, '0');
		return {
			id: `crm-${number}`,
			name: `Contact ${person}`,
			email: `contact.${person}@crm.example`,
			company: `Company ${index % 97}`,
			stage: index % 3 === 0 ? 'customer' : 'lead',
		};
	});
}

/** The body every side sends for a contact. The node adds its idempotency key. */
export function toPersonLog({ id, name, email, company, stage }: Contact): PersonLogBody {
	return { source, type, name, email, payload: { crmId: id, company, stage } };
}
