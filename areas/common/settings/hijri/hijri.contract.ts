import { crud } from '#access/crud.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { HIJRI_YEARS } from '#kit/contract/hijri.ts'

const MONTHS = [
  { value: 1, label: ['Muharram', 'المحرم'] },
  { value: 2, label: ['Safar', 'صفر'] },
  { value: 3, label: ['Rabi I', 'ربيع الأول'] },
  { value: 4, label: ['Rabi II', 'ربيع الآخر'] },
  { value: 5, label: ['Jumada I', 'جمادى الأولى'] },
  { value: 6, label: ['Jumada II', 'جمادى الآخرة'] },
  { value: 7, label: ['Rajab', 'رجب'] },
  { value: 8, label: ['Shaban', 'شعبان'] },
  { value: 9, label: ['Ramadan', 'رمضان'] },
  { value: 10, label: ['Shawwal', 'شوال'] },
  { value: 11, label: ['Dhu al-Qadah', 'ذو القعدة'] },
  { value: 12, label: ['Dhu al-Hijjah', 'ذو الحجة'] },
] as const

/** A Hijri month that began on another day than Umm al-Qura reckons, where the moon was sighted otherwise. */
export const hijriMonth = resource({
  name: 'hijriMonth',
  path: '/hijri-months',
  table: 'hijri_months',
  one: ['Corrected Hijri month', 'شهر هجري مصحح'],
  many: ['Corrected Hijri months', 'تصحيحات الشهور الهجرية'],
  adding: ['Correct a Hijri month', 'تصحيح شهر هجري'],
  editing: ['Edit a corrected month', 'تعديل شهر مصحح'],
  permissions: { ...crud('hijri_month'), restore: null, import: null },
  scope: 'university',
  fields: {
    year: f.integer(['Hijri year', 'السنة الهجرية'], {
      required: true,
      min: HIJRI_YEARS.first,
      max: HIJRI_YEARS.last,
      year: true,
    }),
    month: f.choice(['Hijri month', 'الشهر الهجري'], MONTHS, { required: true }),
    first_day: f.date(['First day', 'أول أيام الشهر'], {
      required: true,
      help: ['As it was announced after the sighting', 'كما أُعلن بعد الرؤية'],
    }),
  },
  list: {
    columns: ['year', 'month', 'first_day'],
    search: [],
    sort: ['year', 'month', 'first_day'],
    filters: ['year', 'month'],
    order: ['first_day', 'desc'],
  },
  exportName: 'Hijri months',
  softDelete: false,
  examples: [
    { year: 1447, month: 11, first_day: '2026-04-19' },
    { year: 1447, month: 1, first_day: '2025-06-27' },
    { year: 1447, month: 3, first_day: '2025-08-25' },
    { year: 1445, month: 12, first_day: '2024-06-08' },
    { year: 1445, month: 9, first_day: '2024-03-12' },
    { year: 1445, month: 6, first_day: '2023-12-15' },
  ],
  plain: true,
  screens: {
    list: '/settings/hijri-months',
    add: '/settings/hijri-months/show/add',
    edit: '/settings/hijri-months/edit/:id',
  },
  menu: { group: 'settings', order: 57, icon: 'moon', setup: true },
})
