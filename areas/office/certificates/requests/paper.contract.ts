import { paperKinds, series } from '#kit/contract/index.ts'

/** Certificates with a text of their own; those of records have the kinds of their areas. */
export const certificatePapers = paperKinds({
  subject: 'student',
  kinds: {
    certificate: {
      label: ['Certificate', 'شهادة'],
      languages: ['ar', 'en'],
      series: series('certificate', { per: 'year', format: 'CT-{period}-{n}' }),
      facts: { type: ['Certificate', 'الشهادة'], program: ['Program', 'البرنامج'] },
      disclosures: ['everything', 'name', 'nothing'],
    },
  },
})
