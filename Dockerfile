# A tag can be moved: docs/operations.md says how to pin the very bytes.
FROM python:3.11.13-slim-trixie AS build
ENV BIBLIOS_DATA=/tmp/data
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql-client-17
COPY requirements.txt requirements-image.txt .
# Without pip, without the tests of the libraries, and without the sources of their translations.
RUN python -m venv --without-pip /venv \
 && pip --python /venv/bin/python install --no-cache-dir --no-compile --require-hashes -r requirements.txt \
 && find /venv/lib -depth -type d \( -name tests -o -name test \) -not -path '*/django/test' -exec rm -r {} + \
 && find /venv/lib -name '*.po' -delete
# The list of these packages with their licences, made by a tool that does not come along.
RUN python -m venv /tools && /tools/bin/pip install --no-cache-dir --require-hashes -r requirements-image.txt \
 && /tools/bin/cyclonedx-py environment --output-reproducible --output-file /venv/sbom.cdx.json /venv/bin/python
WORKDIR /app
COPY . .
# What needs to be written is written now: in service the code is read-only.
RUN /venv/bin/python manage.py prepare && python -m compileall -q /venv/lib .

FROM python:3.11.13-slim-trixie
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 BIBLIOS_DATA=/data
WORKDIR /app
# libpq5 and the libraries of psql; the package of the client itself would bring Perl.
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends libpq5 libreadline8t64 liblz4-1 libzstd1 zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home biblios \
 && install -d -m 700 -o biblios -g biblios /data && install -d -o biblios -g biblios /data/static \
 && install -d -m 700 -o biblios -g biblios /data/key
# For the commands backup and restore.
COPY --from=build /usr/lib/postgresql/17/bin/pg_dump /usr/lib/postgresql/17/bin/psql \
 /usr/lib/postgresql/17/bin/pg_restore /usr/local/bin/
COPY --from=build /venv /venv
COPY --from=build /app .
USER biblios
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
 CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "manage.py", "serve", "--prepare", "--host", "0.0.0.0"]
