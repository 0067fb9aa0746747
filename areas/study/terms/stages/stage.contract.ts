import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** A group of students for which windows open together; an empty criterion admits everybody. */
export const stageGroup = resource({
  name: 'stageGroup',
  path: '/stage-groups',
  table: 'stage_groups',
  one: ['Stage group', 'مجموعة مراحل'],
  many: ['Stage groups', 'مجموعات المراحل'],
  adding: ['Add stage group', 'إضافة مجموعة مراحل'],
  editing: ['Edit stage group', 'تعديل مجموعة مراحل'],
  permissions: { ...crud('stageGroup'), import: null },
  scope: ['faculty', 'bylaw', 'program'],
  common: true,
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { dependsOn: 'faculty_id' }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', { dependsOn: 'bylaw_id' }),
    level: f.integer(['Level', 'المستوى'], { min: 0, max: 7 }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'bylaw_id', 'program_id', 'level'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name'],
    filters: ['faculty_id', 'program_id'],
    order: ['code', 'asc'],
  },
  exportName: 'Stage groups',
  softDelete: true,
  screens: {
    list: '/management/stage_groups',
    add: '/management/stage_groups/add',
    edit: '/management/stage_groups/edit/:id',
  },
  parent: '/management',
})

/** A term stage: a dated window of one kind (register, add and drop, …) for a stage group, or for all students. */
export const stage = resource({
  name: 'stage',
  path: '/stages',
  table: 'term_stages',
  one: ['Stage', 'مرحلة'],
  many: ['Stages', 'المراحل'],
  adding: ['Add stage', 'إضافة مرحلة'],
  editing: ['Edit stage', 'تعديل مرحلة'],
  permissions: { ...crud('stage'), import: null },
  scope: ['faculty', 'bylaw', 'program'],
  common: true,
  fields: {
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { required: true }),
    stage_code_id: f.lookup(['Kind', 'النوع'], 'stageCode', { required: true }),
    stage_group_id: f.lookup(['Stage group', 'مجموعة المراحل'], 'stageGroup', {
      help: ['Empty: all students', 'فارغ: كل الطلاب'],
    }),
    starts_at: f.instant(['Opens', 'تفتح'], { required: true }),
    ends_at: f.instant(['Closes', 'تغلق'], { required: true }),
  },
  list: {
    columns: ['term_id', 'stage_code_id', 'stage_group_id', 'starts_at', 'ends_at'],
    search: [],
    sort: ['starts_at', 'ends_at'],
    filters: ['term_id', 'stage_code_id', 'stage_group_id'],
    order: ['starts_at', 'desc'],
  },
  exportName: 'Stages',
  softDelete: true,
  screens: {
    list: '/management/stages',
    show: '/management/stages/:id',
    add: '/management/stages/add',
    edit: '/management/stages/edit/:id',
  },
  menu: { group: 'catalogue', order: 63, icon: 'calendar-clock', setup: true },
})
