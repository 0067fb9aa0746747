import { paperKinds, papers, series, type PaperKind } from '#kit/contract/index.ts'

const facts = {
  training: ['Training', 'التدريب'],
  organisation: ['Organisation', 'الجهة'],
  from: ['From', 'من'],
  until: ['Until', 'حتى'],
  weeks: ['Weeks', 'الأسابيع'],
} as const satisfies PaperKind['facts']

/** The letter with which a student goes to the organisation, and the certificate once the training is approved. */
export const trainingPapers = papers({
  subject: 'studentTraining',
  path: '/students-trainings/{id}/papers',
  permissions: {
    list: ['show_studentTraining'],
    open: ['show_studentTraining'],
    issue: 'approve_studentTraining',
    revoke: 'approve_studentTraining',
    hold: 'access_student',
  },
  kinds: {
    training_letter: {
      label: ['Letter to the organisation', 'خطاب موجه إلى جهة التدريب'],
      languages: ['ar', 'en'],
      series: series('training_letters', { per: 'year', format: 'TL-{period}-{n}' }),
      facts,
      disclosures: ['everything', 'name', 'nothing'],
    },
    training_certificate: {
      label: ['Certificate of a training', 'شهادة تدريب'],
      languages: ['ar', 'en'],
      series: series('training_certificates', { per: 'year', format: 'TC-{period}-{n}' }),
      facts: { ...facts, score: ['Mark of 100', 'الدرجة من 100'] },
      disclosures: ['everything', 'name', 'nothing'],
    },
  },
})

/** All that a student has done, among the papers of the student; types of certificates can be of it (`areas/office/certificates`). */
export const trainingsDone = paperKinds({
  subject: 'student',
  kinds: {
    trainings_done: {
      label: ['Certificate of trainings', 'شهادة بالتدريبات المنجزة'],
      languages: ['ar', 'en'],
      series: series('trainings_done', { per: 'year', format: 'TD-{period}-{n}' }),
      facts: { trainings: ['Trainings', 'التدريبات'], weeks: ['Weeks', 'الأسابيع'] },
      disclosures: ['everything', 'name', 'nothing'],
    },
  },
})
