import { papers, series } from '#kit/contract/index.ts'

/** What a council decided, as a paper with a number that anybody can verify. */
export const thesisPapers = papers({
  subject: 'thesis',
  path: '/theses/{id}/papers',
  permissions: {
    list: ['show_thesis'],
    open: ['show_thesis'],
    issue: 'approve_thesis',
    revoke: 'approve_thesis',
    hold: 'write_thesis',
  },
  kinds: {
    thesis_decision: {
      label: ['Decision on a thesis', 'قرار بشأن رسالة علمية'],
      languages: ['ar', 'en'],
      series: series('thesis_decisions', { per: 'year', format: 'TH-{period}-{n}' }),
      facts: {
        title: ['Title', 'العنوان'],
        decision: ['Decision', 'القرار'],
        council: ['Council', 'المجلس'],
        session: ['Session', 'الجلسة'],
        number: ['Number', 'رقم القرار'],
        decided_on: ['Date', 'التاريخ'],
      },
      disclosures: ['everything', 'name', 'nothing'],
    },
  },
})
