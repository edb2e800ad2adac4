import { normalize } from '../runtime/normalize';

/*
 * Words without a value, as exports of contacts, forms and spreadsheets have them. From public reports on HubSpot,
 * Salesforce, Pipedrive, Zoho, Facebook's lead ads, Contact Form 7, Typeform and phone books, in the languages of their users.
 * Accents and punctuation do not count.
 */

function list(text: string, separator: string | RegExp): Set<string> {
	const plain = normalize(text, 'NFKD').toLowerCase().replace(/\p{M}/gu, '');
	return new Set(
		plain
			.split(separator)
			.map((entry) => entry.trim().replace(/\s+/g, ' '))
			.filter(Boolean),
	);
}

/** They say no, alone only in a phrase: some are names. */
export const noWords = list(
	`no not none non without never
	kein keine keinen keiner keines ohne nicht nie
	sin ningun ninguno ninguna sans aucun aucune pas
	sem nenhum nenhuma nao senza nessun nessuna niente
	geen niet zonder brak bez nie ingen inga inget utan ikke inte ej uten uden
	ei eivat nincs nem nema nemam nemame nimam yok degil zadny zadna neni lipseste
	нет не без отсутствует немає`,
	/\s+/,
);

/** Things that may be missing: `no email`, `without phone`. */
export const fieldWords = list(
	`email emails mail mails e address addresses addr phone phones telephone tel number numbers no nr mobile cell name names
	first last full middle surname firstname lastname fullname username user company organization website url link linkedin profile
	domain data info information value answer contact entry input record field
	adresse anschrift telefon telefonnummer telefonnr nummer rufnummer handy handynummer handynr vorname nachname firma angabe
	angaben daten wert antwort eintrag kontakt mailadresse emailadresse
	correo electronico telefono movil celular nombre apellido apellidos empresa dato datos direccion informacion respuesta numero
	courriel telephone portable nom prenom societe donnee donnees adresse information numero reponse mel d
	telefone nome sobrenome endereco informacao dados resposta
	cognome azienda indirizzo dato dati telefono cellulare informazioni
	telefoonnummer telefoon naam voornaam achternaam bedrijf adres gegevens
	telefonu numeru maila emaila nazwa imie nazwisko adres firmy danych numer
	namn fornamn efternamn foretag navn uppgift uppgifter opplysninger nummer epost post puhelin nimi
	ad soyad telefonu eposta jmeno prijmeni nev
	имя фамилия телефон телефона почта почты email данных номер адрес номера`,
	/\s+/,
);

/** What became of it, and small words beside it. */
export const stateWords = list(
	`provided available unlocked revealed verified given known specified set found applicable disclosed entered supplied listed shared file yet has have
	do does i is was a an the any and your full complete of for to own owns exist exists there required needed
	ihr ihre und angegeben bekannt vorhanden verfugbar hinterlegt genannt eingetragen erfasst hat ist wurde gibt es
	disponible informado informada indicado indicada proporcionado aplica aplicable tiene posee hay conocido de tem tienen tengo registrado y su tu completo completa
	renseigne renseignee communique communiquee fourni fournie precise precisee connu indique possede a de pas et votre complet
	disponivel possui tenho e seu il tuo i informada fornecido tem aplicavel disponibile fornito specificato indicato presente comunicato
	opgegeven beschikbaar bekend ingevuld van toepassing heeft podano dotyczy dostepny posiada podal podany
	angivet angiven oplyst oppgitt tillganglig kjent finns har tiedossa saatavilla ole
	megadva bilinmiyor belirtilmemis uvedeno uvedeny zadano
	указан указано указана известно известен известна предоставлен`,
	/\s+/,
);

/** Whole texts that say nothing. */
export const phrases = list(
	`na; n a; none; null; nil; nan; undefined; string; object object; unknown; anonymous; empty; blank; missing; hidden; private
	false; tbd; tba; tbc; not known; see email; see above; see notes; to be determined; to be confirmed; to follow; pending; invalid date; invalid datetime
	ditto; idem; same; as above; please select; select; please choose; choose; choose one; select one; select an option
	deleted; removed; redacted; withheld; confidential; on request; ask; ask me; call me; refused; declined; noname; noemail; nophone
	no phone; no email; loading; wird geladen; chargement; cargando; carregando; caricamento; laden; ładowanie; загрузка; 読み込み中
	bitte wahlen; bitte auswahlen; auswahlen; seleccione; selecciona; seleccionar; selectionner; selectionnez; choisir; choisissez
	selecione; seleziona; selezionare; wybierz; kies; maak een keuze; valj; vaelg; velg; seciniz; lutfen seciniz; valassz; vyberte; выберите
	同上; 選択してください; 请选择; 선택하세요
	ka; k a; keine; kein; keiner; unbekannt; fehlt; entfallt; leer; nicht angegeben; auf anfrage; folgt; gesperrt; geloscht; siehe oben
	desconocido; desconocida; ninguno; ninguna; vacio; no; nada; no hay; no tengo; no tiene; s d; sd; s n; pendiente; por definir; nd; n d; nc; n c
	inconnu; inconnue; aucun; aucune; neant; sans objet; vide; a definir; non renseigne; non communique; confidentiel
	sconosciuto; sconosciuta; nessuno; nessuna; assente; vuoto; da definire; n p
	desconhecido; desconhecida; nenhum; vazio; nao tem; nao ha; nao tenho; nao possui; a definir; n i; nao informado; sem dados
	onbekend; geen; nvt; n v t; leeg; nog te bepalen
	brak; nieznany; nieznane; nieznana; puste; b d; nie podano; nie dotyczy; nie ma
	okand; saknas; ukendt; ukjent; ingen; mangler; tuntematon; puuttuu; tyhja; ei ole
	neuvedeno; neznamy; nezname; chybi; nemam; nema; nimam; ismeretlen; nincs; hianyzik; yok; bilinmiyor; belirtilmemis; necunoscut; nepoznato
	нет; неизвестно; неизвестен; неизвестна; отсутствует; невідомо; немає; не указан; не указано; не вказано; пусто
	不明; なし; 無し; 無; 无; 未知; 没有; 暂无; 空; 未填写; 未提供; 未入力; 未登録; 該当なし; 없음; 미상; 알 수 없음; 해당 없음; غير معروف; لا يوجد; לא ידוע; אין
	ไม่มี; không có; tidak ada; -`,
	/[;\n]/,
);

/** What people enter to see what happens. */
export const testWords = list(
	`test tests testing tester teste prueba essai prova proba testuser testlead testing123 dummy fake foo bar baz
	lead user noone nobody noone abc abcd lorem ipsum blah asd qwe sdf dsa jkl`,
	/\s+/,
);

/** The labels of fields, of which one alone can be nothing else. */
export const labels = list(
	`name firstname lastname fullname surname username email emails mail phone phones telephone telephones telefon telefono
	vorname nachname nombre apellido apellidos prenom cognome sobrenome imie nazwisko voornaam achternaam fornamn efternamn jmeno
	prijmeni yourname youremail yourmail your имя фамилия`,
	/\s+/,
);

/** The names of sites in examples. */
export const sampleSites = list(
	`email mail domain example company yourdomain yourcompany site website test beispiel ejemplo exemple exemplo esempio
	voorbeeld przyklad exempel eksempel ornek nowhere`,
	/\s+/,
);

/** Keys that lie side by side, on American, German and French keyboards. */
export const keyRows =
	'qwertyuiop qwertzuiop azertyuiop asdfghjkl qsdfghjklm zxcvbnm yxcvbnm'.split(' ');

/** What HTML has, and programs put around a text. */
export const tags = list(
	`a abbr address b big blockquote body br center code dd div dl dt em font h1 h2 h3 h4 h5 h6 head hr html i img label li mark
	meta nobr ol p pre s small span strike strong sub sup table tbody td th thead title tr tt u ul wbr`,
	/\s+/,
);

/** The words of an extension. Any other text before or after a number belongs to nobody. */
export const extensionWords = list(
	`extension extn ext x durchwahl dw nebenstelle nebenst nst apparat app interno int poste ramal anexo доб добавочный внутр
	wew wewn wewnetrzny linka klapka toestel tst anknytning ankn lokal local loc mellek dahili 内線 内线 分机 분기 내선`,
	/\s+/,
);

/** They stand before digits that are no phone number: of tax offices, registers, banks and letters. */
export const otherNumbers = list(
	`nif nie cif dni nip regon pesel krs vat tax ust ustid ustidnr idnr steuernummer siret siren tva iva btw kvk bsn iban bic
	cnpj cpf rfc curp cuit rut gst gstin pan aadhaar ssn ein tckn vkn inn инн zip plz cap cep postcode postal postleitzahl
	box postfach id ref order invoice customer`,
	/\s+/,
);
