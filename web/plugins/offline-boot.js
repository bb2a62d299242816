// In the offline file: unpacks the core and the page's script, and runs it. The policy of the file
// knows the script by its hash, so that nothing else can stand in its place.

/** Seven bits a letter; what lies above them stands for a letter that HTML would not leave alone. */
function bytesOf(text) {
  const bytes = new Uint8Array((text.length * 7) >> 3);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    held = ((held << 7) | (text.charCodeAt(i) & 127)) & 0x7fff;
    bits += 7;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >> bits;
    at += 1;
  }
  return bytes;
}

function unpack(id) {
  const packed = bytesOf(document.getElementById(id).textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream);
}

try {
  globalThis.ridgepointCore = unpack('ridgepoint-core').arrayBuffer();
  const script = document.createElement('script');
  script.type = 'module';
  script.textContent = await unpack('ridgepoint-script').text();
  document.body.append(script);
} catch (error) {
  document.querySelector('.boot').textContent = `This file needs a newer browser. ${error}`;
}
