import { expect, test } from 'vitest'
import { elmoOf } from '../elmo/elmo.rules.ts'
import { coursesOfCredential, coursesOfElmo } from './courses.rules.ts'
import { fetchedJson, isPublicAddress } from '#kit/server/base/fetched.ts'
import { publicReach } from './reach.server.ts'

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['::ffff:7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['localhost', false],
])('%s may be asked on behalf of a stranger: %s', (address, may) => {
  expect(isPublicAddress(address)).toBe(may)
})

test.each([
  'http://university.example/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://localhost/x',
  'https://user@university.example/x',
  'https://university.example:8443/x',
  'ftp://university.example/x',
  'no address',
])('%s is not asked', async (url) => {
  expect(await fetchedJson(url)).toBe(null)
})

test('what is published here is not asked of the network', async () => {
  const reach = publicReach(async (url) => (url === 'https://own.example/x' ? { own: true } : null))
  expect(await reach('https://own.example/x')).toEqual({ own: true })
  expect(await reach('https://127.0.0.1/x')).toBe(null)
})

test('courses of credentials of others: results with credits, achievements that are courses, presentations', () => {
  const course = {
    type: ['AchievementSubject'],
    creditsEarned: 4,
    activityEndDate: '2024-06-30T00:00:00Z',
    achievement: { achievementType: 'Course', humanCode: 'MA-1', name: ' Calculus\n1 ', creditsAvailable: 6 },
    result: [{ value: 'B+' }],
  }
  const found = { code: 'MA-1', name: 'Calculus 1', name_local: null, credit_hours: 4, grade: 'B+', date: '2024-06-30' }
  expect(coursesOfCredential({ credentialSubject: course })).toEqual([found])
  expect(
    coursesOfCredential({ verifiableCredential: [{ credentialSubject: course }, { credentialSubject: {} }] }),
  ).toEqual([found])
  expect(coursesOfCredential({ credentialSubject: { result: [{ value: 'A' }] } })).toEqual([])
  expect(
    coursesOfCredential({
      credentialSubject: { result: [{ numberOfCredits: 'many' }, { numberOfCredits: '3', status: 'Failed' }] },
    }),
  ).toEqual([{ code: '', name: '', name_local: null, credit_hours: 0, grade: null, date: null }])
})

test('courses of ELMO: those that are no programme, were passed, and consist of nothing else', () => {
  const node = (name: string, text = '', children: object[] = [], attributes = {}) => ({
    name,
    text,
    children,
    attributes,
  })
  const instance = (...children: object[]) => node('specifies', '', [node('learningOpportunityInstance', '', children)])
  const specification = (code: string, kind: string, ...more: object[]) =>
    node('learningOpportunitySpecification', '', [
      node('identifier', 'x', [], { type: 'nus' }),
      node('identifier', code, [], { type: 'local' }),
      node('title', 'Kurs', [], { 'xml:lang': 'no' }),
      node('title', `Course ${code}`, [], { 'xml:lang': 'en' }),
      node('type', kind),
      ...more,
    ])
  const passed = instance(
    node('date', '2024-06-30'),
    node('status', 'passed'),
    node('resultLabel', 'C'),
    node('credit', '', [node('scheme', 'ECTS'), node('value', '7.5')]),
  )
  const root = node('elmo', '', [
    node('report', '', [
      specification('P', 'Degree Programme', passed, node('hasPart', '', [specification('A', 'Course', passed)])),
      specification('B', 'Course', instance(node('status', 'failed'))),
      specification('C', 'Course', instance(node('status', 'in-progress'))),
      specification('D', 'Course'),
    ]),
  ])
  expect(coursesOfElmo(root as never)).toEqual([
    { code: 'A', name: 'Course A', name_local: null, credit_hours: 7.5, grade: 'C', date: '2024-06-30' },
  ])
})

test('names and titles cannot break out of ELMO', () => {
  const xml = elmoOf(
    {
      kind: 'transcript',
      lang: 'en',
      serial: 'OT-1',
      code: 'X',
      title: { name: 'T', name_local: 'T' },
      holder: { name: 'Mona <b>&"', name_local: 'x' },
      facts: [],
      disclosure: 'everything',
      issued_at: '2024-01-01T00:00:00Z',
      courses: [
        { code: ']]>', name: 'A\u0000 \u000B<c/>', hours: 3, letter: null, mark: '40', maximum: 100, passed: null },
      ],
      terms: {},
    },
    {
      issuer: { id: 'did:web:a', name: 'U & V', name_local: 'U & V' },
      address: 'https://a',
      made: '2024-01-01T00:00:00Z',
    },
  )
  expect(xml).toContain('<givenNames>Mona</givenNames><familyName>&lt;b&gt;&amp;"</familyName>')
  expect(xml).toContain('<title xml:lang="en">A &lt;c/&gt;</title>')
  expect(xml).toContain('<resultLabel>40 / 100</resultLabel>')
  expect(xml).not.toContain('<status>')
})
