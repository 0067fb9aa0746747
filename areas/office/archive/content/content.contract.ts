import { z } from 'zod'
import { call, idParam } from '#kit/contract/index.ts'
import { entryIds } from '../entry.contract.ts'

/** What is in files, and how it comes out: one by one, or many as a ZIP that is written while it is sent. */
export const contentCalls = {
  downloadArchive: call('GET', '/archive/download/{id}', {
    permission: 'access_archive',
    summary: ['Download a file, or an earlier version of it', 'تنزيل ملف أو نسخة سابقة منه'],
    query: z.strictObject({ version: idParam.optional() }),
    file: { name: 'file.pdf', type: 'pdf' },
  }),
  zipArchive: call('GET', '/archive/zip/files/{id}', {
    permission: 'access_archive',
    summary: ['Download a folder as a ZIP by the address it gave', 'تنزيل مجلد في ملف ZIP بالرابط المرفق معه'],
    query: z.strictObject({ token: z.string().max(100).default('') }),
    file: { name: 'archive.zip', type: 'zip' },
  }),
  downloadFiles: call('POST', '/archive/download_files/{id}', {
    permission: 'access_archive',
    summary: ['Download entries of a folder as a ZIP', 'تنزيل عناصر من مجلد في ملف ZIP'],
    body: z.strictObject({ ids: entryIds.optional() }),
    file: { name: 'archive.zip', type: 'zip' },
    example: {},
    reads: true,
  }),
}
