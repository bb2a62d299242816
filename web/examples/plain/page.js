// A page may read what the calculator answers, and change what it asks: attributes are properties.

const own = document.querySelector('#own');
const said = document.querySelector('#said');
const fp8 = document.querySelector('#fp8');

own.addEventListener('ridgepoint:report', ({ detail: { report } }) => {
  const { serves } = report.verdict;
  said.textContent = serves
    ? `${report.capacity.max_requests.best} requests, ${report.cache.format} cache`
    : 'it does not start';
});
own.addEventListener('ridgepoint:error', ({ detail: { error } }) => {
  said.textContent = error.message;
});
fp8.addEventListener('click', () => {
  const on = fp8.getAttribute('aria-pressed') !== 'true';
  fp8.setAttribute('aria-pressed', String(on));
  own.flags = on ? '--kv-cache-dtype fp8' : '';
});
