import type { Row } from '#kit/contract/index.ts'
import { useLanguage } from '#kit/web/i18n/index.ts'
import type { publication } from './publication.contract.ts'

/** A work by the title in the reader's language, else by the other. */
export const titleOfWork = (row: Row<typeof publication>, lang: string): string =>
  (lang === 'ar' ? (row.title_local ?? row.title) : (row.title ?? row.title_local)) ?? ''

export function TitleOfWork({ row }: { readonly row: Row<typeof publication> }) {
  return <bdi>{titleOfWork(row, useLanguage())}</bdi>
}
