import { renderListPdf } from '#kit/server/documents/index.ts'

/** A PDF/A with one table. `renderPdf` typesets a template of your own instead. */
export const hallList = (students: { code: string; name_local: string }[]): Promise<Uint8Array> =>
  renderListPdf({
    title: 'كشف القاعة',
    lang: 'ar',
    university: { name: 'Canopus University', name_local: 'جامعة كانوبس' },
    facts: [{ label: 'القاعة', value: 'H-12' }],
    columns: [{ label: 'الكود' }, { label: 'الاسم' }, { label: 'التوقيع', align: 'center' }],
    rows: students.map(({ code, name_local }) => [code, name_local, '']),
  })
