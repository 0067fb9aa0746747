import { crud } from '#access/permissions.contract.ts'
import { call, f, lookup, resource } from '#kit/contract/index.ts'

/** A building of the campus. */
export const building = lookup('building', {
  path: '/buildings',
  one: ['Building', 'مبنى'],
  many: ['Buildings', 'المباني'],
  adding: ['Add building', 'إضافة مبنى'],
  editing: ['Edit building', 'تعديل مبنى'],
  fields: {
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
    address: f.text(['Address', 'العنوان'], { max: 400 }),
  },
  list: { columns: ['code', 'name', 'name_local', 'faculty_id'] },
  screens: { add: '/buildings/add', edit: '/buildings/edit/:id' },
  parent: '/schedule-settings',
  plain: false,
})

/** What a room is fit for. */
export const LOCATION_TYPES = [
  { value: 'hall', label: ['Lecture hall', 'مدرج'] },
  { value: 'room', label: ['Classroom', 'قاعة دراسية'] },
  { value: 'lab', label: ['Laboratory', 'معمل'] },
  { value: 'clinic', label: ['Clinic', 'عيادة'] },
  { value: 'online', label: ['Online', 'عبر الإنترنت'] },
] as const

/** A hall, room or laboratory of a building. */
export const location = resource({
  name: 'location',
  path: '/locations',
  table: 'locations',
  one: ['Location', 'قاعة'],
  many: ['Locations', 'القاعات'],
  adding: ['Add location', 'إضافة قاعة'],
  editing: ['Edit location', 'تعديل قاعة'],
  permissions: crud('location'),
  scope: 'university',
  fields: {
    building_id: f.lookup(['Building', 'المبنى'], 'building', { required: true }),
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    location_type: f.choice(['Kind', 'النوع'], LOCATION_TYPES, { required: true }),
    floor: f.integer(['Floor', 'الدور'], { min: -5, max: 200 }),
    sectors: f.integer(['Sectors', 'القطاعات'], { required: true, min: 1, max: 100 }),
    capacity: f.integer(['Capacity', 'السعة'], { required: true, min: 1, max: 10_000 }),
    attendance_networks: f.text(['Networks of attendance codes', 'شبكات رمز الحضور'], {
      max: 400,
      detailOnly: true,
      help: [
        'Codes of the room are scanned from these networks only, e.g. 10.20.0.0/16. Empty: from anywhere.',
        'يُمسح رمز القاعة من هذه الشبكات فقط، مثل 10.20.0.0/16. اتركها فارغة لأي شبكة.',
      ],
    }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'building_id', 'location_type', 'floor', 'sectors', 'capacity'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'capacity'],
    filters: ['building_id', 'location_type'],
    order: ['code', 'asc'],
  },
  exportName: 'locations',
  softDelete: true,
  screens: { show: '/location/:id', add: '/locations/add', edit: '/locations/edit/:id' },
  parent: '/schedule-settings',
})

export const placeCalls = {
  exportHallsTemplate: call('POST', '/buildings/export_migrated_halls_template', {
    permission: 'import_location',
    summary: ['Template for importing halls', 'نموذج استيراد القاعات'],
    file: { name: 'Halls.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
}
