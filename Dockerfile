# Siteseer in a container: docker build -t siteseer . && docker run --rm -v "$PWD/out:/out" siteseer crawl URL -o /out/site
FROM python:3.12-slim
RUN pip install --no-cache-dir uv
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN uv pip install --system --no-cache . && useradd --create-home siteseer
USER siteseer
WORKDIR /home/siteseer
ENTRYPOINT ["siteseer"]
