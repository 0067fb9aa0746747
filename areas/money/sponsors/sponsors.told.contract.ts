import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const sponsorsTold: TablesTold = {
  sponsorship_items: {
    one: ['Item of a sponsorship', 'بند رعاية'],
    many: ['Items of sponsorships', 'بنود الرعاية'],
  },
}
