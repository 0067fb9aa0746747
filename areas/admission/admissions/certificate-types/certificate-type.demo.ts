import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

/** Subjects by the ids of `certificate-subject.demo.ts`, with what they are out of; whoever is not asked may leave it out. */
const SCIENCE = { 1: 80, 2: 60, 4: 60, 5: 60, 6: 60 } as const
const CERTIFICATES = [
  {
    code: 'GS-SCI',
    name: 'General secondary, sciences',
    name_local: 'الثانوية العامة (علمي علوم)',
    group: 'general',
    country: 64,
    total: 320,
    subjects: SCIENCE,
  },
  {
    code: 'GS-MATH',
    name: 'General secondary, mathematics',
    name_local: 'الثانوية العامة (علمي رياضة)',
    group: 'general',
    country: 64,
    total: 320,
    subjects: { 1: 80, 2: 60, 3: 60, 4: 60, 5: 60 },
  },
  {
    code: 'GS-LIT',
    name: 'General secondary, literature',
    name_local: 'الثانوية العامة (أدبي)',
    group: 'general',
    country: 64,
    total: 320,
    subjects: { 1: 80, 2: 60, 7: 60, 8: 60, 9: 60 },
  },
  {
    code: 'AZ-SCI',
    name: 'Azhar secondary, sciences',
    name_local: 'الثانوية الأزهرية (علمي)',
    group: 'azhar',
    country: 64,
    total: 650,
    subjects: { 1: 100, 2: 50, 3: 100, 4: 100, 5: 100, 6: 100, 10: 100 },
  },
  {
    code: 'STEM',
    name: 'STEM schools',
    name_local: 'مدارس المتفوقين (STEM)',
    group: 'stem',
    country: 64,
    total: 700,
    subjects: { 1: 100, 2: 100, 3: 150, 4: 125, 5: 125, 6: 100 },
  },
  {
    code: 'KSA',
    name: 'Saudi secondary certificate',
    name_local: 'الثانوية العامة السعودية',
    group: 'arab',
    country: null,
    total: 100,
    subjects: {},
  },
  {
    code: 'IGCSE',
    name: 'IGCSE',
    name_local: 'شهادة IGCSE',
    group: 'international',
    country: null,
    total: 410,
    subjects: {},
  },
  {
    code: 'ADP',
    name: 'American diploma',
    name_local: 'الدبلومة الأمريكية',
    group: 'international',
    country: null,
    total: 410,
    subjects: {},
  },
  {
    code: 'IB',
    name: 'International Baccalaureate',
    name_local: 'البكالوريا الدولية',
    group: 'international',
    country: null,
    total: 45,
    subjects: {},
  },
  {
    code: 'TECH-5',
    name: 'Five-year technical diploma',
    name_local: 'الدبلوم الفني نظام الخمس سنوات',
    group: 'technical',
    country: 64,
    total: 700,
    subjects: {},
  },
] as const

/** School certificates as they are known in Egypt, with the subjects that count. */
export default demoPart(['certificate_types'], ['certificate_subjects'], async (tx) => {
  await insertRows(
    tx,
    'certificate_types',
    CERTIFICATES.map(({ code, name, name_local, group, country, total }, i) => ({
      id: i + 1,
      code,
      name,
      name_local,
      certificate_group: group,
      country_id: country,
      max_total: total,
      is_active: true,
    })),
  )
  await followIds(tx, 'certificate_types')
  await insertRows(
    tx,
    'certificate_type_subjects',
    CERTIFICATES.flatMap(({ subjects }, i) =>
      Object.entries(subjects).map(([subject, max_mark], position) => ({
        certificate_type_id: i + 1,
        position,
        certificate_subject_id: Number(subject),
        max_mark,
        is_required: true,
        is_counted: true,
      })),
    ),
  )
})
