import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { renderListPdf } from './list.ts'
import type { ListPdfRequest } from './list.ts'
import { PdfError, closePdf, registerTemplate, renderPdf } from './pdf.ts'

const university = { name: 'Delta University', name_local: 'جامعة الدلتا' }
const created = new Date('2026-01-02T03:04:05Z')

registerTemplate('paper', fileURLToPath(new URL('./fixtures/table.typ', import.meta.url)))
afterAll(closePdf)

function paper(lang: 'ar' | 'en', name: string, rows = 40) {
  return {
    lang,
    title: lang === 'ar' ? 'بيان الدرجات' : 'Record',
    serial: 'T-2026-17',
    note: null,
    subtitle: 'CS',
    university,
    facts: [{ label: lang === 'ar' ? 'الاسم' : 'Name', value: name }],
    columns: ['Code', 'Course', 'Hours', 'Mark', 'Grade'].map((label) => ({
      label,
      align: 'start',
    })),
    rows: Array.from({ length: rows }, (_, index) => [`CS${index}`, 'Algorithms (C++)', '3', '88.5', 'A-']),
  }
}

const list = (more: Partial<ListPdfRequest> = {}): ListPdfRequest => ({
  title: 'Rows',
  lang: 'en',
  columns: [{ label: 'Code' }, { label: 'Name' }],
  rows: [['0012', 'Mona']],
  university,
  created,
  ...more,
})

/** Everything in the file, its compressed streams opened: enough to look for markers. */
function opened(pdf: Uint8Array): string {
  const bytes = Buffer.from(pdf)
  let text = bytes.toString('latin1')
  for (let at = bytes.indexOf('stream\n'); at >= 0; at = bytes.indexOf('stream\n', at + 7)) {
    if (bytes.subarray(at - 3, at).toString() === 'end') continue
    try {
      text += inflateSync(bytes.subarray(at + 7)).toString('latin1')
    } catch {
      // Not a deflated stream.
    }
  }
  return text
}

const pageCount = (pdf: Uint8Array) => [...opened(pdf).matchAll(/\/Type\s*\/Page\b/g)].length
const hasPdftotext = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const words = (pdf: Uint8Array) =>
  execFileSync('pdftotext', ['-layout', '-', '-'], {
    input: pdf,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })

/** Lines of a PDF as the reader of Firefox finds and copies them. */
async function linesOf(pdf: Uint8Array): Promise<string[]> {
  const file = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const lines: string[] = []
  for (let page = 1; page <= file.numPages; page++) {
    const { items } = await (await file.getPage(page)).getTextContent()
    let line = ''
    for (const item of items) {
      if (!('str' in item)) continue
      line += item.str
      if (!item.hasEOL) continue
      lines.push(line)
      line = ''
    }
    lines.push(line)
  }
  return lines.map((line) => line.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '').trim())
}

/** Lam before kaf is one sign of the face, which this reader turns round; poppler does not. */
const BACKWARDS = new Set(['لكن'])

describe('what is printed in Arabic is found and copied', () => {
  const letters = [...'ابتثجحخدذرزسشصضطظعغفقكلمنهويأإآئؤةى']
  const joined = letters.flatMap((a) =>
    letters.filter((b) => !'ةى'.includes(a) && a !== b).flatMap((b) => [`ب${a}${b}`, `${a}${b}ن`]),
  )
  const names = [...new Set([...'شريف الخريف الإنجليزية رياض إلى في لآلئ والله عبدالرحمن'.split(' '), ...joined])]

  it.each(['ar', 'en'] as const)('as lists print it, in %s', async (lang) => {
    const rows = names.map((name) => [name])
    const lines = new Set(await linesOf(await renderListPdf(list({ lang, columns: [{ label: 'x' }], rows }))))
    expect(names.filter((name) => !lines.has(name) && !BACKWARDS.has(name))).toEqual([])
  })

  it.each(['ar', 'en'] as const)('as papers print it, in %s', async (lang) => {
    const data = {
      ...paper(lang, 'شريف'),
      columns: [{ label: 'x', align: 'start' }],
      rows: names.map((name) => [name]),
    }
    const lines = new Set(await linesOf(await renderPdf({ template: 'paper', data, created })))
    expect(names.filter((name) => !lines.has(name) && !BACKWARDS.has(name))).toEqual([])
  })
})

describe('renderPdf', () => {
  it('gives the same bytes for the same data and date', async () => {
    const request = { template: 'paper', data: paper('ar', 'فاطمة محمود'), created }
    const first = await renderPdf(request)
    expect(Buffer.from(first).equals(await renderPdf(request))).toBe(true)
    expect(opened(first)).toContain('pdfaid')
  })

  it('carries the record as JSON', async () => {
    const pdf = await renderPdf({
      template: 'paper',
      data: paper('en', 'Mona'),
      attach: { name: 'record.json', json: { code: '0012', name: 'منى' } },
      created,
    })
    const text = opened(pdf)
    expect(text).toContain('record.json')
    expect(text).toContain('"code": "0012"')
  })

  it.each([false, true])('says that it can be read aloud (PDF/UA-1), with files inside: %s', async (files) => {
    const pdf = await renderPdf({
      template: 'paper',
      data: paper('ar', 'منى'),
      ...(files && { attach: { name: 'record.json', json: { name: 'منى' } } }),
      created,
    })
    const whole = Buffer.from(pdf).toString('latin1')
    expect(whole).toContain('/DisplayDocTitle true')
    expect(whole).toMatch(/<pdfuaid:part>1<\/pdfuaid:part><pdfaid:part>[23]</)
    // The table of objects says where each begins, and the metadata how long they are.
    const start = Number(/startxref\s+(\d+)/.exec(whole)![1])
    const places = whole.slice(start).split('\n').slice(3)
    for (const [at, line] of places.entries()) {
      if (!line.endsWith(' n ')) break
      expect(whole.slice(Number(line.slice(0, 10)))).toMatch(new RegExp(`^${at + 1} 0 obj`))
    }
    const { info, metadata } = await (
      await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
    ).getMetadata()
    expect(info).toMatchObject({ Title: 'بيان الدرجات' })
    expect(metadata!.get('dc:title')).toBe('بيان الدرجات')
    expect(metadata!.get('pdfuaid:part')).toBe('1')
  })

  it('says so of none that has no structure', async () => {
    const pdf = await renderPdf({ template: 'paper', data: paper('en', 'Mona'), tags: false, created })
    expect(opened(pdf)).not.toContain('pdfuaid')
  })

  it('takes what people type as text, not as markup', async () => {
    const names = [
      '#panic("x")',
      '*a* _b_ $c$ `d` <e> @f = g',
      '<script>alert(1)</script>',
      '"; #import "/etc/passwd"',
      '\\u{202e}',
      '\u202Eevil\u2066\u0000\ud800',
    ]
    for (const name of names) {
      const pdf = await renderPdf({
        template: 'paper',
        data: paper('ar', name, 20),
        created,
      })
      expect(pageCount(pdf)).toBe(1)
    }
  })

  it.runIf(hasPdftotext)('shows such names as they were typed', async () => {
    const pdf = await renderPdf({
      template: 'paper',
      data: paper('en', '#x *bold* $y$ <b>z</b>'),
      created,
    })
    expect(words(pdf)).toContain('#x *bold* $y$ <b>z</b>')
  })

  it('names the text that has no glyph', async () => {
    const error = await renderPdf({
      template: 'paper',
      data: paper('en', 'Mona 中'),
      created,
    }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(PdfError)
    expect(error).toMatchObject({ code: 'pdf_glyph_missing' })
    expect(JSON.stringify((error as PdfError).data)).toContain('中')
  })

  it('says when the template or its data are wrong', async () => {
    await expect(renderPdf({ template: 'nowhere', data: {} })).rejects.toMatchObject({
      code: 'pdf_template_error',
    })
    await expect(renderPdf({ template: '/nowhere.typ', data: {} })).rejects.toMatchObject({
      code: 'pdf_template_error',
    })
    await expect(renderPdf({ template: 'paper', data: {} })).rejects.toMatchObject({
      code: 'pdf_template_error',
    })
    await expect(
      renderPdf({
        template: 'paper',
        data: paper('en', 'Mona'),
        files: { '../x': new Uint8Array(1) },
      }),
    ).rejects.toMatchObject({ code: 'pdf_template_error' })
    const attached = [{ name: '../x', type: 'text/xml', content: 'x', description: 'X' }]
    await expect(renderPdf({ template: 'paper', data: paper('en', 'Mona'), attached })).rejects.toMatchObject({
      code: 'pdf_template_error',
    })
  })

  it('says when it took too long, and makes the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const late = renderPdf({ template: 'paper', data: paper('en', 'Mona') }).catch((error: unknown) => error)
      vi.advanceTimersByTime(60_000)
      expect(await late).toMatchObject({ code: 'pdf_timeout' })
    } finally {
      vi.useRealTimers()
    }
    expect((await renderPdf({ template: 'paper', data: paper('en', 'Mona') })).length).toBeGreaterThan(1000)
  })
})

describe('renderListPdf', () => {
  it.runIf(hasPdftotext)('repeats the header and numbers the pages in the language', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => [String(index).padStart(4, '0'), `Row ${index}`])
    const text = words(await renderListPdf(list({ rows, facts: [{ label: 'Term', value: 'Fall 2026' }] })))
    const pages = text.split('\f').filter((page) => page.trim())
    expect(pages.length).toBeGreaterThan(2)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Code')
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    }
    expect(text).toContain('0149')
  })

  it('turns the page when the list is wide', async () => {
    const wide = list({
      columns: Array.from({ length: 12 }, (_, index) => ({ label: `Column ${index}` })),
      rows: [Array.from({ length: 12 }, () => 'fifteen letters')],
    })
    const box = (text: string) => /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)!.slice(1).map(Number)
    const [width, height] = box(opened(await renderListPdf(wide)))
    expect(width).toBeGreaterThan(height!)
    const [narrow, tall] = box(opened(await renderListPdf(list())))
    expect(narrow).toBeLessThan(tall!)
  })

  it('prints every language, a logo, an empty list and a name without glyphs', async () => {
    const bytes = new TextEncoder().encode(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
    )
    for (const lang of ['ar', 'de', 'en', 'fr', 'pt'] as const) {
      const pdf = await renderListPdf(list({ lang, rows: [], title: 'قائمة', logo: { ext: 'svg', bytes } }))
      expect(pageCount(pdf)).toBe(1)
    }
    expect(pageCount(await renderListPdf(list({ rows: [['1', '李娜 🎓']] })))).toBe(1)
  })

  it.runIf(hasPdftotext)('prints further tables under their headings, turned when one of them is wide', async () => {
    const wide = Array.from({ length: 12 }, (_, index) => ({ label: `Column ${index}` }))
    const pdf = await renderListPdf(
      list({
        heading: 'Invoices',
        more: [{ heading: 'Payments', columns: wide, rows: [wide.map(() => 'fifteen letters')] }],
      }),
    )
    expect(words(pdf)).toMatch(/Invoices[\s\S]*Payments[\s\S]*Column 11/)
    const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(opened(pdf))!.map(Number)
    expect(width).toBeGreaterThan(height!)
  })

  it('stays small and quick with thousands of rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => [String(index), 'محمد عبد الرحمن السيد'])
    const pdf = await renderListPdf(list({ lang: 'ar', rows }))
    expect(pageCount(pdf)).toBeGreaterThan(40)
    expect(pdf.byteLength).toBeLessThan(3_000_000)
  })
})
