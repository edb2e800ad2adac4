import { normalize } from '../../../runtime/normalize';

/**
 * What people, forms, spreadsheets and programs write where there is no value, in the languages that exports of contacts
 * have. Accents and punctuation do not count, so that `k.A.`, `[Unknown]` and `() Not provided.` are among them.
 */
const phrases = new Set(
	`
	na; n a; none; null; nil; nan; undefined; string; object object; unknown; anonymous; empty; blank; missing; hidden; private
	false; not provided; not available; not applicable; not given; not known; not set; not specified; not found; no data; no value
	no answer; no phone; no phone number; no number; no email; no mail; noemail; noname; no name; tbd; tba; tbc
	ka; k a; keine; kein; keiner; keine angabe; keine angaben; keine daten; unbekannt; nicht angegeben; nicht bekannt
	nicht vorhanden; nicht verfugbar; kein telefon; keine telefonnummer; keine email; keine e mail; fehlt; entfallt; leer
	sin datos; sin dato; sin telefono; sin correo; sin email; sin nombre; sin informacion; desconocido; desconocida
	no disponible; no aplica; no informado; no indicado; no proporcionado; no tiene; ninguno; ninguna; vacio
	non renseigne; non renseignee; non communique; non communiquee; non disponible; non fourni; non precise; inconnu; inconnue
	aucun; aucune; neant; sans objet; pas de telephone; pas d email; vide
	sconosciuto; sconosciuta; nessuno; nessuna; non disponibile; non fornito; non specificato; non indicato; assente
	nao informado; nao informada; nao disponivel; nao possui; nao tem; desconhecido; desconhecida; nenhum; sem dados; sem telefone
	onbekend; geen; niet opgegeven; niet beschikbaar; niet bekend; nvt; n v t; leeg
	brak; brak danych; nieznany; nieznane; nie podano; nie dotyczy
	okand; saknas; ej angivet; uppgift saknas; ukendt; ukjent; ingen; mangler; ikke oplyst; ikke oppgitt; tuntematon; ei tiedossa
	neuvedeno; neznamy; nezname; ismeretlen; nincs; yok; bilinmiyor; belirtilmemis
	нет; нет данных; не указан; не указано; не указана; неизвестно; неизвестен; отсутствует; невідомо; немає; не вказано
	不明; なし; 無し; 無; 无; 未知; 没有; 暂无; 未填写; 未提供; 없음; 미상; 알 수 없음; غير معروف; لا يوجد; לא ידוע; אין
	`
		.split(/[;\n]/)
		.map((phrase) => listWords(phrase).join(' '))
		.filter(Boolean),
);

/** Templates, test leads of Facebook and of Typeform, errors of spreadsheets, and dumps of databases have these. */
const unfilled =
	/\bdummy data for\b|^(?:\{\{.*\}\}|\$\{.*\}|%\w+%|x{3,}|\\N|#(?:N\/A|REF!|VALUE!|NAME\?|NUM!|DIV\/0!))$/is;

/** Longer than every placeholder in brackets. */
const longest = 60;

/** Whether a text stands for no value. One without letters, digits and emoji, such as `-`, does. */
export function isPlaceholder(text: string): boolean {
	if (unfilled.test(text)) return true;
	const words = listWords(text.slice(0, longest));
	if (words.length === 0 || text.length > longest) return words.length === 0;
	const half = words.slice(words.length / 2).join(' ');
	const isTwice = words.slice(0, words.length / 2).join(' ') === half;
	return phrases.has(words.join(' ')) || (isTwice && phrases.has(half));
}

/** In lower case, without accents and punctuation. */
function listWords(text: string): string[] {
	const plain = normalize(text, 'NFKD').toLowerCase().replace(/\p{M}/gu, '');
	return plain.match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? [];
}
