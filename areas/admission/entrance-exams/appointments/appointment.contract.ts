import { f, resource, series } from '#kit/contract/index.ts'
import { ENTRANCE_KINDS } from '../words.contract.ts'

/** Numbers of appointments. */
export const entranceNumbers = series('entrance_appointment', { per: 'year', format: 'E-{period}-{n}' })

/** When and where applicants of an admission sit an exam or are interviewed, and how many at most. */
export const entranceAppointment = resource({
  name: 'entranceAppointment',
  path: '/entrance-appointments',
  table: 'entrance_appointments',
  one: ['Appointment', 'موعد'],
  many: ['Appointments', 'المواعيد'],
  adding: ['Add appointment', 'إضافة موعد'],
  editing: ['Edit appointment', 'تعديل موعد'],
  permissions: {
    list: 'access_entrance_exam',
    show: 'access_entrance_exam',
    add: 'manage_entrance_exam',
    edit: 'manage_entrance_exam',
    remove: 'manage_entrance_exam',
    restore: 'manage_entrance_exam',
    export: 'access_entrance_exam',
    import: null,
  },
  scope: ['faculty', 'department', 'bylaw', 'program'],
  common: true,
  fields: {
    code: f.code(['Number', 'رقم الموعد'], { readOnly: true, max: 30 }),
    admission_id: f.lookup(['Admission', 'فترة القبول'], 'admission', { required: true, createOnly: true }),
    kind: f.choice(['For', 'الغرض'], ENTRANCE_KINDS, { required: true, createOnly: true }),
    begins_at: f.instant(['Begins', 'يبدأ'], { required: true }),
    minutes: f.integer(['Minutes', 'المدة بالدقائق'], { required: true, min: 5, max: 600 }),
    location_id: f.lookup(['Hall', 'القاعة'], 'location'),
    place: f.text(['Place', 'المكان'], {
      max: 200,
      help: [
        'Where it is no hall of the university, or how to find it.',
        'إن لم يكن قاعة بالجامعة، أو وصف الوصول إليها.',
      ],
    }),
    faculty_id: f.lookup(['Only for the faculty', 'لكلية محددة'], 'faculty', {
      help: ['Applicants with a wish for it. Empty: for all.', 'لمن رغب فيها. فارغ: للجميع.'],
    }),
    program_id: f.lookup(['Only for the program', 'لبرنامج محدد'], 'program', { dependsOn: 'faculty_id' }),
    capacity: f.integer(['Places', 'الأماكن'], { required: true, min: 1, max: 5000 }),
    booked: f.integer(['Taken', 'المحجوز'], { readOnly: true, max: 5000 }),
  },
  list: {
    columns: ['code', 'admission_id', 'kind', 'begins_at', 'minutes', 'location_id', 'place', 'booked', 'capacity'],
    search: ['code', 'place'],
    sort: ['code', 'begins_at', 'capacity'],
    filters: ['admission_id', 'kind', 'location_id', 'faculty_id', 'begins_at'],
    order: ['begins_at', 'asc'],
  },
  exportName: 'Entrance appointments',
  softDelete: true,
  screens: {
    list: '/management/admission/appointments',
    show: '/management/admission/appointments/:id',
    add: '/management/admission/appointments/add',
    edit: '/management/admission/appointments/edit/:id',
  },
  sections: [
    {
      title: ['Appointment', 'الموعد'],
      fields: ['code', 'admission_id', 'kind', 'begins_at', 'minutes', 'location_id', 'place'],
    },
    {
      title: ['Who comes', 'من يحضر'],
      text: [
        'Applicants who are asked to the exam choose among free places, or are placed by the desk.',
        'يختار من دُعي إلى الاختبار من الأماكن المتاحة، أو توزعهم إدارة القبول.',
      ],
      fields: ['faculty_id', 'program_id', 'capacity', 'booked'],
    },
  ],
  examples: [1, 2, 3].map((n) => ({
    admission_id: 5,
    kind: n === 2 ? 'interview' : 'exam',
    begins_at: `2031-07-0${n}T07:00:00.000Z`,
    minutes: 90,
    place: 'Main building, second floor',
    capacity: 40,
  })),
  parent: '/entrance_exams',
})
