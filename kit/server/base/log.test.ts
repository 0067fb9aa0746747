import { expect, test } from 'vitest'
import { newToken } from '../identity/sessions.ts'
import { loggedPath } from './log.ts'

test('what opens an application does not get into the log, nor does a query', () => {
  const { token } = newToken()
  expect(loggedPath(`/api/admission/12/${token}/documents/3?ticket=abc`)).toBe('/api/admission/12/…/documents/3')
  expect(loggedPath(`/api/admission/12/${token}`)).toBe('/api/admission/12/…')
  expect(loggedPath('/api/admission/website/applicant/lookups')).toBe('/api/admission/website/applicant/lookups')
})
