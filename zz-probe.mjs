import fs from 'node:fs'
import jsonld from 'jsonld'
import {createHash,verify,createPublicKey} from 'node:crypto'
const dir='/work/trees/creds/areas/office/credentials/verify/contexts/'
const map={'https://www.w3.org/2018/credentials/v1':'credentials-v1','https://www.w3.org/ns/credentials/v2':'credentials-v2','https://w3id.org/security/data-integrity/v1':'data-integrity-v1','https://w3id.org/security/data-integrity/v2':'data-integrity-v2','https://w3id.org/security/suites/ed25519-2020/v1':'ed25519-2020-v1','https://purl.imsglobal.org/spec/ob/v3p0/context.json':'badges-3.0.0','https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.1.json':'badges-3.0.1','https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.2.json':'badges-3.0.2','https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json':'badges-3.0.3','https://purl.imsglobal.org/spec/ob/v3p0/extensions.json':'badges-extensions'}
const loader=async u=>{if(!map[u])throw Error('unknown '+u);return{documentUrl:u,document:JSON.parse(fs.readFileSync(dir+map[u]+'.json'))}}
const A='123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const b58=s=>{let n=0n;for(const c of s)n=n*58n+BigInt(A.indexOf(c));let h=n.toString(16);if(h.length%2)h='0'+h;let z=0;while(s[z]==='1')z++;return Buffer.concat([Buffer.alloc(z),Buffer.from(h,'hex')])}
const canon=async(d,safe)=>jsonld.canonize(d,{algorithm:'RDFC-1.0',format:'application/n-quads',documentLoader:loader,safe,base:null})
const sha=s=>createHash('sha256').update(s).digest()
for(const f of process.argv.slice(2)){
 const d=JSON.parse(fs.readFileSync(f));const proofs=[d.proof].flat();
 for(const p of proofs){ if(!p.proofValue)continue
 for(const safe of [true,false]) try{
  const {proof,...doc}=d; const {proofValue,...opts}=p
  const key=b58(p.verificationMethod.match(/z6Mk\w+/)[0].slice(1)).subarray(2)
  const c=p.type==='Ed25519Signature2020'&&0?0:{...opts,'@context':d['@context']}
  const data=Buffer.concat([sha(await canon(c,safe)),sha(await canon(doc,safe))])
  const pk=createPublicKey({key:{kty:'OKP',crv:'Ed25519',x:key.toString('base64url')},format:'jwk'})
  console.log(f.split('/').pop(),safe,verify(null,data,pk,b58(proofValue.slice(1))))
 }catch(e){console.log(f.split('/').pop(),safe,'ERR',e.message.slice(0,100),e.details?.event?.code||e.cause?.message, JSON.stringify(e.details||{}).slice(0,300))}}
}
