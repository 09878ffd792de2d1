import type { NewCustomer } from '../stores/customers/customer-record.js'

/** Number of the first one. Low numbers stay free for trying the API by hand. */
const FIRST = 1001

/** Name, age and address, all invented. */
const people: Array<[name: string, age: number, address: string]> = [
  ['Amélie Fournier', 34, '15 rue Lepic, 75018 Paris'],
  ['Łukasz Wiśniewski', 41, 'ul. Piotrkowska 112, 90-007 Łódź'],
  ['Jörg Brandstätter', 52, 'Straße der Einheit 5, 50667 Köln'],
  ['Charitha Perera', 33, '27 Temple Road, Piliyandala'],
  ['María José Etxeberria', 46, 'Calle de la Ribera 8, 48005 Bilbao'],
  ['Nguyễn Thị Minh Anh', 27, '48 Phố Huế, Hai Bà Trưng, Hà Nội'],
  ['李小龍', 61, '九龍旺角彌敦道 600 號'],
  ['佐藤 美咲', 29, '〒150-0042 東京都渋谷区宇田川町 3-7'],
  ['김서연', 24, '서울특별시 마포구 양화로 45'],
  ['Олена Шевченко', 38, 'вул. Хрещатик 22, Київ'],
  ['Дмитрий Соколов', 55, 'Невский проспект 88, Санкт-Петербург'],
  ['Γιώργος Παπαδόπουλος', 49, 'Ερμού 30, 105 63 Αθήνα'],
  ['محمد الفاسي', 44, 'شارع محمد الخامس 12، الدار البيضاء'],
  ['נועה לוי', 31, 'רחוב דיזנגוף 99, תל אביב'],
  ['प्रिया शर्मा', 36, '14, एम.जी. रोड, जयपुर'],
  ['স্মৃতি দাস', 42, '৭ পার্ক স্ট্রিট, কলকাতা'],
  ['கவிதா சுந்தரம்', 58, '21 அண்ணா சாலை, சென்னை'],
  ['สมชาย ใจดี', 47, '99 ถนนสุขุมวิท กรุงเทพฯ'],
  ['Tigist Bekele · ትግስት በቀለ', 30, 'Bole Road 4, Addis Ababa'],
  ['Նարե Հակոբյան', 26, 'Աբովյան 10, Երևան'],
  ['ნინო კაპანაძე', 35, 'რუსთაველის გამზირი 18, თბილისი'],
  ['Chinonso Okafor', 28, '6 Admiralty Way, Lekki, Lagos'],
  ['Thandiwe Nkosi', 39, '31 Vilakazi Street, Soweto'],
  ['Kwame Mensah-Boateng', 63, '2 Oxford Street, Osu, Accra'],
  ['Leilani Kahananui', 45, '91 Kalākaua Avenue, Honolulu, HI 96815'],
  ['Aroha Te Rangi', 32, '5 Cuba Street, Te Aro, Wellington 6011'],
  ['Guðrún Jónsdóttir', 71, 'Laugavegur 33, 101 Reykjavík'],
  ['Søren Kjærgaard', 50, 'Nørrebrogade 17, 2200 København N'],
  ['Åsa Lindström', 37, 'Götgatan 61, 116 21 Stockholm'],
  ['Siiri Mäkelä', 22, 'Hämeenkatu 9 B 14, 33100 Tampere'],
  ['Siobhán Ní Dhomhnaill', 43, '12 Quay Street, Galway H91 T6X2'],
  ['Rhys ap Gwilym', 57, '3 Heol y Frenhines, Caerdydd CF10 2AF'],
  ['Željko Đurić', 48, 'Bulevar kralja Aleksandra 73, Beograd'],
  ['Tereza Nováková', 25, 'Vinohradská 50, 120 00 Praha 2'],
  ['Kovács Ágnes', 66, 'Andrássy út 21, 1061 Budapest'],
  ['Ayşe Yıldırım', 40, 'İstiklal Caddesi 140, Beyoğlu, İstanbul'],
  ['João Pedro da Silva', 53, 'Rua Augusta 205, São Paulo – SP'],
  ['Ximena Quispe Mamani', 29, 'Jirón Ayacucho 14, Cusco'],
  ['Sean O’Brien', 74, '1208 Beacon Street, Brookline, MA 02446'],
  ['Zoë van den Berg', 21, 'Oudegracht 118, 3511 AW Utrecht']
]

/** Forty customers to try the register with. */
export const demoCustomers: NewCustomer[] = people.map(([name, age, address], index) => ({ id: FIRST + index, name, age, address }))
