import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { inDays } from '../days.contract.ts'

/** For whom a room is. */
export const ROOM_GENDERS = [
  { value: 'men', label: ['Men', 'رجال'] },
  { value: 'women', label: ['Women', 'نساء'] },
  { value: 'families', label: ['Families', 'عائلات'] },
] as const
export const GUEST_KINDS = [
  { value: 'students', label: ['Students', 'طلاب'] },
  { value: 'staff', label: ['Staff', 'عاملون'] },
  { value: 'guests', label: ['Guests', 'ضيوف'] },
] as const

/** A building of the university in which people sleep. */
export const hostel = resource({
  name: 'hostel',
  path: '/hostels',
  table: 'hostels',
  one: ['Hostel', 'مبنى سكن'],
  many: ['Hostels', 'مباني السكن'],
  adding: ['Add hostel', 'إضافة مبنى سكن'],
  editing: ['Edit hostel', 'تعديل مبنى سكن'],
  permissions: { ...crud('hostel'), import: null },
  scope: ['faculty'],
  fields: {
    building_id: f.lookup(['In building', 'في مبنى'], 'building', { required: true }),
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    gender: f.choice(['For', 'مخصص لـ'], ROOM_GENDERS, { required: true }),
    beds: f.integer(['Beds', 'الأسرّة'], { readOnly: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'building_id', 'gender', 'beds'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: ['building_id', 'gender'],
    order: ['code', 'asc'],
  },
  exportName: 'Hostels',
  softDelete: true,
  screens: { list: '/hostels', add: '/hostels/add', edit: '/hostels/edit/:id' },
  menu: { group: 'services', order: 61, icon: 'building', subject: 'hotels' },
  plain: true,
})

/** A room with its beds, and who may sleep in it. */
export const hostelRoom = resource({
  name: 'hostelRoom',
  path: '/hostel-rooms',
  table: 'hostel_rooms',
  one: ['Room of a hostel', 'غرفة سكن'],
  many: ['Rooms', 'الغرف'],
  adding: ['Add room', 'إضافة غرفة'],
  editing: ['Edit room', 'تعديل غرفة'],
  permissions: { ...crud('hostel'), import: null },
  scope: ['faculty'],
  fields: {
    hostel_id: f.lookup(['Hostel', 'مبنى السكن'], 'hostel', { required: true, createOnly: true }),
    code: f.code(['Room', 'الغرفة'], { required: true, max: 20 }),
    floor: f.integer(['Floor', 'الدور'], { required: true, min: -5, max: 200 }),
    kind_id: f.lookup(['Kind', 'النوع'], 'roomKind', { required: true }),
    gender: f.choice(['For', 'مخصصة لـ'], ROOM_GENDERS, { required: true }),
    audience: f.choice(['Only for', 'مقصورة على'], GUEST_KINDS, {
      help: ['Empty: everybody', 'فارغ: الجميع'],
    }),
    faculty_id: f.lookup(['Only of the faculty', 'مقصورة على كلية'], 'faculty'),
    level: f.integer(['Only of the level', 'مقصورة على المستوى'], { max: 7 }),
    beds: f.rows(
      ['Beds', 'الأسرّة'],
      { code: f.code(['Bed', 'السرير'], { required: true, max: 10 }) },
      { table: 'hostel_beds', parent: 'room_id', by: 'c.code', max: 40 },
    ),
  },
  list: {
    columns: ['code', 'hostel_id', 'floor', 'kind_id', 'gender', 'audience', 'faculty_id', 'level', 'beds'],
    search: ['code'],
    sort: ['code', 'floor'],
    filters: ['hostel_id', 'kind_id', 'gender', 'audience', 'faculty_id'],
    order: ['code', 'asc'],
  },
  exportName: 'Rooms of hostels',
  knownBy: 'code',
  softDelete: true,
  screens: { list: '/hostel-rooms', add: '/hostel-rooms/add', edit: '/hostel-rooms/edit/:id' },
  menu: { group: 'services', order: 62, icon: 'door', subject: 'hotels' },
  plain: true,
})

/** Days on which a room or one of its beds is closed. */
export const bedClosing = resource({
  name: 'bedClosing',
  path: '/bed-closings',
  table: 'bed_closings',
  one: ['Closed time', 'فترة إغلاق'],
  many: ['Closed times', 'فترات الإغلاق'],
  adding: ['Close a room or bed', 'إغلاق غرفة أو سرير'],
  editing: ['Edit closed time', 'تعديل فترة الإغلاق'],
  permissions: { ...crud('hostel'), import: null },
  scope: ['faculty'],
  fields: {
    room_id: f.lookup(['Room', 'الغرفة'], 'hostelRoom', { required: true }),
    bed_id: f.lookup(['Bed', 'السرير'], 'hostelBed', {
      dependsOn: 'room_id',
      help: ['Empty: the whole room', 'فارغ: الغرفة كلها'],
    }),
    from_day: f.date(['First night', 'أول ليلة'], { required: true }),
    until_day: f.date(['Open again on', 'يُعاد فتحها في'], { required: true }),
    reason: f.text(['Reason', 'السبب'], { required: true, max: 400 }),
  },
  list: {
    columns: ['room_id', 'bed_id', 'from_day', 'until_day', 'reason'],
    search: ['reason'],
    sort: ['from_day', 'until_day'],
    filters: ['room_id', 'from_day'],
    order: ['from_day', 'desc'],
  },
  exportName: 'Closed times',
  softDelete: true,
  // Days on which nobody stays there.
  examples: [1, 2, 3, 4].map((n) => ({
    room_id: n,
    bed_id: null,
    from_day: inDays(900 + 10 * n),
    until_day: inDays(903 + 10 * n),
    reason: 'Painting',
  })),
  screens: { list: '/bed-closings', add: '/bed-closings/add', edit: '/bed-closings/edit/:id' },
  menu: { group: 'services', order: 64, icon: 'lock', subject: 'hotels' },
  plain: true,
})
