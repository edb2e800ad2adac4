const list = (text: string): string[] => text.trim().split(/\s*[,\n]\s*/);

export const firstNames = list(`
	Amara, Anton, Beatriz, Camille, Chen, Daniel, Dörte, Elif, Emeka, Fatima, Freya, Giulia, Hannah, Hiroshi, Ingrid
	Ivan, Jamal, Jana, Javier, Kateryna, Kwame, Laila, Lukas, Mai, Mateo, Mia, Nadia, Noah, Olivia, Omar, Petra, Priya
	Quentin, Rafael, Rosa, Saoirse, Sofia, Søren, Tariq, Uma, Viktor, Wei, Ximena, Yusuf, Zoë
`);

export const lastNames = list(`
	Adeyemi, Andersson, Bianchi, Brown, Castillo, Dubois, Eriksen, Fischer, Garcia, Haddad, Hansen, Ivanova, Jensen
	Kaya, Kim, Kowalski, Lefèvre, Li, Marino, Mbeki, Müller, Nakamura, Nguyen, O’Connor, Okafor, Patel, Pereira, Quinn
	Rossi, Sato, Schmidt, Silva, Smith, Tanaka, Ünal, Van den Berg, Weber, Wójcik, Yılmaz, Zhang
`);

export const companyStems = list(`
	Alder, Beacon, Brightwater, Cedar, Copperfield, Dovetail, Eastgate, Fernhill, Foxglove, Glacier, Harbour, Hazelwood
	Ironbridge, Juniper, Kestrel, Lakeside, Larkspur, Meridian, Millstone, Northwind, Oakmont, Orchard, Pinecrest
	Quarry, Redwood, Riverbend, Saltmarsh, Summit, Thornbury, Westfield
`);

export const companyTrades = ['Analytics', 'Logistics'];
export const topLevels = ['com', 'io', 'de', 'co.uk'];

/** Topic, button and promise of a page. */
export const topics = [
	['Product demo', 'Book a demo', 'See the product with your own data'],
	['Pricing', 'Talk to sales', 'A price that fits the size of your team'],
	['Migration guide', 'Plan the move', 'Switch without losing your history'],
	['Security overview', 'Request the report', 'Where your data is stored and who can see it'],
	['Customer story', 'Read the story', 'What changed in the first quarter'],
	[
		'Webinar follow-up',
		'Watch the recording',
		'Everything we showed, and answers to your questions',
	],
] as const;

export const sectors = list(
	'logistics teams, finance leaders, healthcare providers, online retail',
);

export const questions = list(`
	Does it work with our CRM?
	How long does setup take?
	What does it cost per seat?
	Where is our data stored?
	Can we start with one team?
`);

export const logTypes = list('webhook, email-opened, meeting-booked, form-filled, call-finished');
export const logSources = list('crm-sync, website, calendar, support-desk');
