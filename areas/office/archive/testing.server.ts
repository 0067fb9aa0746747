import type { Answer, Caller, TestUniversity } from '#tests/university.ts'

/** Sends a form with a file, as a browser does. */
export async function sendFile(
  u: TestUniversity,
  who: Caller,
  path: string,
  fields: Readonly<Record<string, string | number>>,
  file?: { readonly name: string; readonly content: Uint8Array },
): Promise<Pick<Answer, 'status' | 'body'>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  if (file) form.set('file', new Blob([new Uint8Array(file.content)]), file.name)
  const encoded = new Response(form)
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${who.token}`,
      'content-type': encoded.headers.get('content-type')!,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}

export const pdf = (text = 'x'): Uint8Array => Buffer.from(`%PDF-1.7\n1 0 obj<</T(${text})>>endobj\n%%EOF\n`)
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
