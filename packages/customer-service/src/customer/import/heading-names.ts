import type { FieldName } from '../fields.js'

/** Headings of each field, in the form of {@link normalize}: those of this service, and those of other programs in several languages. */
const names: Record<FieldName, string> = {
  customerid:
    'customerid number customernumber no customerno id accountnumber nr nummer kundennummer kundennr kundenid debitor debitornummer ' +
    'numero noclient nclient numeroclient numerodeclient codeclient numerocliente numerodecliente codigocliente codice codicecliente ' +
    'klantnummer kundnummer kundenummer 番号 顧客番号',
  customername:
    'customername name fullname displayname accountname contactname kundenname nom nomcomplet nomduclient nombre nombrecompleto ' +
    'nombredelcliente nominativo naam namn navn 名前 氏名 顧客名',
  customerage: 'customerage age alter edad eta idade leeftijd alder 年齢',
  customeraddress:
    'customeraddress address postaladdress mailingaddress adresse anschrift postanschrift adressepostale direccion domicilio ' +
    'indirizzo endereco adres adress 住所'
}

/** Headings of the parts of names and addresses, in the order in which they are joined. */
const parts: Partial<Record<FieldName, readonly string[]>> = {
  customername: [
    'firstname givenname vorname prenom nombre nombredepila nome voornaam fornamn fornavn 名',
    'lastname surname familyname nachname nomdefamille apellido apellidos cognome achternaam efternamn etternavn 姓'
  ],
  customeraddress: [
    'street streetaddress businessstreet homestreet mailingstreet billingstreet strasse straße strassehausnummer rue calle via straat gata',
    'postalcode zip zipcode postcode businesspostalcode homepostalcode mailingzippostalcode billingzippostalcode mailingpostalcode ' +
    'billingpostalcode plz postleitzahl codepostal codigopostal cap 郵便番号',
    'city town businesscity homecity mailingcity billingcity ort stadt ville ciudad localidad citta plaats stad 市区町村',
    'country countryregion businesscountryregion homecountryregion mailingcountry billingcountry land pays pais paese 国'
  ]
}

/** The field of each heading, and the headings of each part of a field, normalized. */
export const fieldOfHeading = new Map(Object.entries(names).flatMap(([field, words]) =>
  // as: the keys of the table.
  words.split(' ').map(word => [normalize(word), field as FieldName] as const)))
export const headingsOfParts = Object.fromEntries(Object.entries(parts).map(([field, lists]) =>
  [field, lists.map(words => words.split(' ').map(normalize))])) as Partial<Record<FieldName, readonly string[][]>>

const meanings = new Map<string, string>([
  ...Object.values(parts).flatMap(lists => lists).flatMap(words => words.split(' ').map(word => [normalize(word), words] as const)),
  ...fieldOfHeading
])

/** What a heading means, if it is known: a field, or a part of one. Headings with the same meaning have the same text. */
export function meaningOfHeading (heading: string): string | undefined {
  return meanings.get(normalize(heading))
}

/** Ignores case, accents, spaces and punctuation. */
export function normalize (heading: string): string {
  return heading.normalize('NFKD').toLowerCase().replace(/[\s\p{M}\p{P}\p{S}\p{C}]/gu, '')
}
