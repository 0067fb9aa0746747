import { demoLookup } from '#demo/part.ts'
import { community } from './community.contract.ts'

const EGYPT = 64
/** Governorates by the figures that stand for them in national ids. */
const GOVERNORATES = [
  ['01', 'Cairo', 'القاهرة'],
  ['02', 'Alexandria', 'الإسكندرية'],
  ['03', 'Port Said', 'بورسعيد'],
  ['04', 'Suez', 'السويس'],
  ['11', 'Damietta', 'دمياط'],
  ['12', 'Dakahlia', 'الدقهلية'],
  ['13', 'Sharqia', 'الشرقية'],
  ['14', 'Qalyubia', 'القليوبية'],
  ['15', 'Kafr El Sheikh', 'كفر الشيخ'],
  ['16', 'Gharbia', 'الغربية'],
  ['17', 'Menoufia', 'المنوفية'],
  ['18', 'Beheira', 'البحيرة'],
  ['19', 'Ismailia', 'الإسماعيلية'],
  ['21', 'Giza', 'الجيزة'],
  ['22', 'Beni Suef', 'بني سويف'],
  ['23', 'Fayoum', 'الفيوم'],
  ['24', 'Minya', 'المنيا'],
  ['25', 'Assiut', 'أسيوط'],
  ['26', 'Sohag', 'سوهاج'],
  ['27', 'Qena', 'قنا'],
  ['28', 'Aswan', 'أسوان'],
  ['29', 'Luxor', 'الأقصر'],
  ['31', 'Red Sea', 'البحر الأحمر'],
  ['32', 'New Valley', 'الوادي الجديد'],
  ['33', 'Matrouh', 'مطروح'],
  ['34', 'North Sinai', 'شمال سيناء'],
  ['35', 'South Sinai', 'جنوب سيناء'],
  ['88', 'Outside Egypt', 'خارج الجمهورية'],
] as const

export default demoLookup(
  community,
  GOVERNORATES.map(([figures, name, name_local]) => [
    `G${figures}`,
    name,
    name_local,
    { country_id: figures === '88' ? null : EGYPT, national_id_code: figures },
  ]),
)
