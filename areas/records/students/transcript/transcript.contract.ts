import { call, id, papers, series } from '#kit/contract/index.ts'
import { z } from 'zod'

const issued = z.object({
  id,
  /** Printed on every page. */
  serial: z.string(),
  lang: z.enum(['ar', 'en']),
  /** Holds results that were not published. */
  all_results: z.boolean(),
  courses: z.int(),
  gpa: z.string().nullable(),
  passed_hours: z.number(),
  issued_at: z.string(),
  /** null: the student. */
  issued_by: z.string().nullable(),
})
export type IssuedTranscript = z.output<typeof issued>

const paperPermissions = {
  list: ['issue_paper', 'print_transcript', 'show_student_record', 'access_student'],
  // Its readers are those of what stands on it: national id, date of birth.
  open: ['issue_paper', 'print_transcript', 'access_student'],
  issue: 'issue_paper',
  revoke: 'revoke_paper',
  hold: 'access_student',
} as const

export const transcriptCalls = {
  certificate: call('POST', '/students/{id}/certificate/{lang}', {
    permission: paperPermissions.issue,
    summary: [
      'Issue the certificate that fits: of enrolment to who studies, of graduation to who has graduated',
      'إصدار الشهادة المناسبة: شهادة قيد لمن يدرس، وشهادة تخرج لمن تخرج',
    ],
    file: { name: 'certificate.pdf', type: 'pdf', fixed: true },
    traced: 'student',
  }),
  masterCertificate: call('GET', '/students/{id}/MasterCertificate/{lang}', {
    permission: paperPermissions.open,
    summary: [
      "The valid master's certificate of a student that was issued last, as it was issued",
      'آخر شهادة ماجستير سارية صدرت للطالب، كما صدرت',
    ],
    file: { name: 'MasterCertificate.pdf', type: 'pdf' },
    traced: 'student',
  }),
  transcript: call('POST', '/students/{id}/transcript/{lang}', {
    permission: ['print_transcript', 'access_student'],
    summary: ['Print a transcript', 'طباعة بيان الدرجات'],
    body: z.strictObject({
      /** With results that are not published yet: for those who see the record of the student. Not official. */
      all: z.boolean().default(false),
    }),
    file: { name: 'Transcript.pdf', type: 'pdf', fixed: true },
    traced: 'student',
    example: { all: false },
  }),
  issued: call('GET', '/students/{id}/transcripts', {
    permission: ['print_transcript', 'show_student_record'],
    summary: ['Transcripts printed of a student', 'بيانات الدرجات المطبوعة لطالب'],
    response: z.object({ data: z.array(issued) }),
  }),
}

const graduationFacts = {
  program: ['Program', 'البرنامج'],
  degree: ['Degree', 'الدرجة العلمية'],
  gpa: ['Cumulative GPA', 'المعدل التراكمي'],
  graduation_term: ['Term of graduation', 'فصل التخرج'],
} as const

/** Official papers of a student. */
export const studentPapers = papers({
  subject: 'student',
  path: '/students/{id}/papers',
  permissions: paperPermissions,
  kinds: {
    transcript: {
      label: ['Official transcript', 'بيان درجات رسمي'],
      languages: ['ar', 'en'],
      series: series('transcript', { per: 'year', format: 'OT-{period}-{n}' }),
      facts: {
        program: ['Program', 'البرنامج'],
        gpa: ['Cumulative GPA', 'المعدل التراكمي'],
        passed_hours: ['Passed hours', 'الساعات المجتازة'],
      },
      disclosures: ['name', 'everything', 'nothing'],
    },
    enrollment_certificate: {
      label: ['Certificate of enrolment', 'شهادة قيد'],
      languages: ['ar', 'en'],
      series: series('enrollment_certificate', { per: 'year', format: 'EC-{period}-{n}' }),
      facts: {
        program: ['Program', 'البرنامج'],
        level: ['Level', 'المستوى'],
        year: ['Year', 'العام الجامعي'],
        valid_until: ['Meant until', 'سارية حتى'],
      },
      disclosures: ['everything', 'name', 'nothing'],
    },
    graduation_certificate: {
      label: ['Graduation certificate', 'شهادة تخرج'],
      languages: ['ar', 'en'],
      series: series('graduation_certificate', { per: null, format: 'GC-{n}' }),
      facts: graduationFacts,
      disclosures: ['name', 'everything', 'nothing'],
    },
    master_certificate: {
      label: ["Master's certificate", 'شهادة ماجستير'],
      languages: ['ar', 'en'],
      series: series('master_certificate', { per: null, format: 'MC-{n}' }),
      facts: graduationFacts,
      disclosures: ['name', 'everything', 'nothing'],
    },
  },
})
