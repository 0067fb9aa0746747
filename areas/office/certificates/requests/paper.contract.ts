import { paperKinds, papers, series } from '#kit/contract/index.ts'

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

/** What papers of who works here are about: the account. */
export const STAFF_SUBJECT = 'user'
/** Papers of who works here. They are issued on the way of certificates alone: none of them is issued at once. */
export const staffPapers = papers({
  subject: STAFF_SUBJECT,
  path: '/staff/{id}/papers',
  permissions: {
    list: ['show_certificate', 'ask_certificate_as_staff'],
    open: ['show_certificate', 'ask_certificate_as_staff'],
    issue: 'edit_certificate',
    revoke: 'decide_certificate',
    hold: 'ask_certificate_as_staff',
  },
  kinds: {},
})
/** The kind that is issued so. */
export const staffCertificates = paperKinds({
  subject: STAFF_SUBJECT,
  kinds: {
    staff_certificate: {
      label: ['Certificate of who works here', 'شهادة لعامل بالجامعة'],
      languages: ['ar', 'en'],
      series: series('staff_certificate', { per: 'year', format: 'SC-{period}-{n}' }),
      facts: { type: ['Certificate', 'الشهادة'], job: ['Job title', 'المسمى الوظيفي'], faculty: ['Faculty', 'الكلية'] },
      disclosures: ['everything', 'name', 'nothing'],
    },
  },
})
